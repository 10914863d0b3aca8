/// An RGB colour, 0 to 255 a channel.
public struct Color: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    public static let black = Color(red: 0, green: 0, blue: 0)
    public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }
    /// The window's pixel format: 0xFFRRGGBB.
    public var argb: UInt32 { 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}

/// One pixel of a frame: its decoded samples, and its colour on the screen.
public struct PixelValues: Hashable, Sendable {
    /// Column in the coded frame, from 0.
    public var x: Int
    public var y: Int
    /// `Y`, `U`, `V`, or `R`, `G`, `B`.
    public var samples: [Sample]
    /// Bits of each sample.
    public var bits: Int
    public var color: Color

    public struct Sample: Hashable, Sendable {
        public var name: String
        public var value: Int
        public init(_ name: String, _ value: Int) { (self.name, self.value) = (name, value) }
    }

    public init(x: Int, y: Int, samples: [Sample], bits: Int, _ color: Color) {
        (self.x, self.y, self.samples, self.bits, self.color) = (x, y, samples, bits, color)
    }

    /// Text such as "640,360: Y 502 U 510 V 514 of 10 bits, RGB 120 121 119".
    public var text: String {
        let stored = samples.map { "\($0.name) \($0.value)" }.joined(separator: " ")
        return "\(x),\(y): \(stored) of \(bits) bits, RGB \(color.red) \(color.green) \(color.blue)"
    }
}
