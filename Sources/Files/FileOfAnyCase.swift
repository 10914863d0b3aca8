import Base
import Glibc
import Threads

/// Returns `path` if that file exists, else the path of a file whose name differs in case only. Songs made on Windows
/// ignore the case of names. May block as long as the file system does.
public func fileOfAnyCase(_ path: String) -> String {
    if access(path, F_OK) == 0 { return path }
    let folder = folder(of: path), name = Substring(path.utf8.dropFirst(folder.utf8.count))
    return FolderListing.of(folder.isEmpty ? "." : folder).names[name.lowercased()].map { folder + $0 } ?? path
}

/// The names in a folder by their lower-case form. The last folder's listing is cached, because each file of a folder
/// of songs is looked up.
private struct FolderListing: Sendable {
    let folder: String
    let identity: FileIdentity?
    let names: [String: String]

    private static let kept = Locked<FolderListing?>(nil)
    /// Granularity of file systems' clocks, in nanoseconds. A folder that changes twice within this time may keep its
    /// identity.
    private static let grain: Int64 = 2_000_000_000

    static func of(_ folder: String) -> FolderListing {
        let identity = FileIdentity(path: folder)
        if let kept = kept.locked({ $0 }), kept.folder == folder, kept.identity == identity { return kept }
        let listing = FolderListing(folder, identity)
        let age = realTimeNanoseconds() &- (identity?.modified ?? .max)
        if age > grain { kept.locked { $0 = listing } }
        return listing
    }

    private init(_ folder: String, _ identity: FileIdentity?) {
        (self.folder, self.identity) = (folder, identity)
        // Keeps the first match in the folder's own order.
        names = Dictionary(
            (entries(ofFolder: folder) ?? []).map { ($0.name.lowercased(), $0.name) },
            uniquingKeysWith: { first, _ in first })
    }
}
