/// A fake television on the CEC bus, which records the messages that it receives.
public struct FakeCEC: Sendable {
    let preload: Preload

    public init() throws { preload = try Preload("fake-cec", "QUADRILLE_FAKE_CEC", of: UInt8.self, count: 4096) }

    public var messages: [[UInt8]] {
        let bytes = preload.values(of: UInt8.self)
        return (0..<Int(bytes[0])).map { number in
            let place = 1 + 17 * number
            return (0..<Int(bytes[place])).map { bytes[place + 1 + $0] }
        }
    }
}
