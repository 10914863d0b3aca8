/// The identity of a file and of one state of it. A changed file has another identity.
public struct FileIdentity: Hashable, Sendable {
    public let device: UInt64
    public let inode: UInt64
    public let size: Int64
    /// Modification time in nanoseconds since 1970.
    public let modified: Int64

    public init(device: UInt64, inode: UInt64, size: Int64, modified: Int64) {
        (self.device, self.inode, self.size, self.modified) = (device, inode, size, modified)
    }
}
