/// Paints witness frames as raw I420 into one buffer that is used again and again.
struct Painter {
    let width: Int
    let height: Int
    let look: Witness.Look
    let clip: Int
    private(set) var bytes: [UInt8]
    private var texture: [UInt8] = []
    private let textureWidth: Int

    init(width: Int, height: Int, look: Witness.Look, clip: Int) {
        precondition(width % 2 == 0 && height % 2 == 0, "a witness has even sides")
        (self.width, self.height, self.look, self.clip) = (width, height, look, clip)
        textureWidth = width * 2
        bytes = [UInt8](repeating: 128, count: width * height * 3 / 2)
        switch look {
        case .marked: paintTexture()
        case .flat(let colour): paintFlat(colour)
        }
    }

    /// Paints frame `number`. Flat frames are all alike.
    mutating func paint(_ number: Int) {
        guard case .marked = look else { return }
        let shift = number * 3 % width
        let (width, height, textureWidth) = (width, height, textureWidth)
        texture.withUnsafeBytes { from in
            bytes.withUnsafeMutableBytes { to in
                for row in 0..<height {
                    let source = from.baseAddress! + row * textureWidth + (shift + row / 4) % width
                    (to.baseAddress! + row * width).copyMemory(from: source, byteCount: width)
                }
            }
        }
        let mark = Mark(clip: clip, number: number % 4096)
        for row in Strip.Row.allCases { paint(Strip.blocks(of: row, for: mark), from: row.top) }
    }

    private mutating func paint(_ blocks: [Bool], from top: Double) {
        let first = Int((top * Double(height)).rounded())
        let last = Int(((top + Strip.rowShare) * Double(height)).rounded())
        let line = (0..<width).map { blocks[$0 * Strip.columns / width] ? UInt8(235) : UInt8(16) }
        for row in first..<min(last, height) {
            bytes.replaceSubrange(row * width..<(row + 1) * width, with: line)
            let chroma = [UInt8](repeating: 128, count: width / 2)
            for plane in 0..<2 where row % 2 == 0 {
                let start = width * height + plane * width * height / 4 + row / 2 * width / 2
                bytes.replaceSubrange(start..<start + width / 2, with: chroma)
            }
        }
    }

    /// Paints soft waves with a little grain, so that a codec has something to encode.
    private mutating func paintTexture() {
        texture = [UInt8](repeating: 0, count: textureWidth * height)
        var grain: UInt32 = 0x9e37_79b9
        let (width, height, textureWidth) = (width, height, textureWidth)
        texture.withUnsafeMutableBufferPointer { to in
            for row in 0..<height {
                for column in 0..<width {
                    grain = grain &* 1_664_525 &+ 1_013_904_223
                    let waves = abs((column * 512 / width) % 128 - 64) + abs((row * 384 / height) % 96 - 48)
                    let value = UInt8(56 + waves + Int(grain >> 28))
                    to[row * textureWidth + column] = value
                    to[row * textureWidth + column + width] = value
                }
            }
        }
        let quarter = width * height / 4
        bytes.withUnsafeMutableBufferPointer { to in
            for index in 0..<quarter {
                to[width * height + index] = UInt8(96 + clip * 4)
                to[width * height + quarter + index] = UInt8(160 - clip * 4)
            }
        }
    }

    /// Fills all planes with one colour in BT.601, limited range.
    private mutating func paintFlat(_ colour: Colour) {
        let (red, green, blue) = (Double(colour.red), Double(colour.green), Double(colour.blue))
        let luma = 16 + 0.2568 * red + 0.5041 * green + 0.0979 * blue
        let planes = [
            luma, 128 - 0.1482 * red - 0.2910 * green + 0.4392 * blue,
            128 + 0.4392 * red - 0.3678 * green - 0.0714 * blue,
        ].map { UInt8($0.rounded()) }
        bytes = [UInt8](repeating: planes[0], count: width * height)
        for plane in planes[1...] { bytes += [UInt8](repeating: plane, count: width * height / 4) }
    }
}

public struct Colour: Hashable, Sendable {
    public var red, green, blue: Int

    public init(_ red: Int, _ green: Int, _ blue: Int) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// Returns the largest difference of a channel.
    public func distance(to other: Colour) -> Int {
        max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue))
    }
}
