/// The calls of the DPMS extension, replaced by a preloaded library that seems to switch the screens and records the
/// calls.
public struct FakeDPMS: Sendable {
    let preload: Preload

    public enum Call: Hashable, Sendable { case enable, disable, level(Int) }

    public init() throws { preload = try Preload("fake-dpms", "QUADRILLE_FAKE_DPMS", of: UInt8.self, count: 256) }

    public var calls: [Call] {
        let bytes = preload.values(of: UInt8.self)
        return (0..<Int(bytes[0])).map { number in
            switch bytes[1 + number] {
            case 1: .enable
            case 2: .disable
            case let other: .level(Int(other) - 16)
            }
        }
    }
}
