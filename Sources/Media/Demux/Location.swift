import Glibc
import WallCore

/// Where a source is: what may be opened, by the name that FFmpeg takes.
struct Location {
    let kind: Kind
    /// For FFmpeg. Files are named with their protocol, so that a colon in a name is nothing special.
    let url: String

    enum Kind { case file, device, network }

    /// Refuses what is not there and what would block: only regular files, video devices and URLs pass.
    init(_ name: String) throws(SourceTrouble) {
        if let scheme = Location.scheme(of: name), scheme != "file" {
            (kind, url) = (.network, name)
            return
        }
        let path = name.hasPrefix("file://") ? String(name.dropFirst("file://".count)) : name
        var status = stat()
        guard stat(path, &status) == 0 else { throw Location.trouble(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            guard access(path, R_OK) == 0 else { throw Location.trouble(errno) }
            guard status.st_size > 0 else { throw SourceTrouble(.damaged, "the file is empty") }
            (kind, url) = (.file, "file:" + path)
        case S_IFCHR where path.hasPrefix("/dev/video"):
            (kind, url) = (.device, path)
        case S_IFDIR: throw SourceTrouble(.unreadable, "it is a directory")
        case S_IFIFO: throw SourceTrouble(.unreadable, "it is a FIFO")
        case S_IFSOCK: throw SourceTrouble(.unreadable, "it is a socket")
        default: throw SourceTrouble(.unreadable, "it is a device that shows no video")
        }
    }

    /// What stands before `://`, if that can be a scheme.
    private static func scheme(of name: String) -> Substring? {
        let bytes = name.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon != bytes.startIndex,
            name[colon...].hasPrefix("://")
        else { return nil }
        let scheme = name[..<colon]
        let isScheme = scheme.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isScheme ? scheme : nil
    }

    private static func trouble(_ code: Int32) -> SourceTrouble {
        switch code {
        case ENOENT, ENOTDIR: SourceTrouble(.missing, "no such file")
        default: SourceTrouble(.unreadable, String(cString: strerror(code)))
        }
    }
}
