/// Memory for the planes of a frame, freed with its last reference.
public final class PlaneMemory: @unchecked Sendable {
    public let base: UnsafeMutablePointer<UInt8>

    public init(bytes: Int) { base = .allocate(capacity: bytes) }

    deinit { base.deallocate() }
}
