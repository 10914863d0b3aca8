@testable import Base
@testable import Decoded

/// A frame that is a clip's name and a number. It owns a `Frame` of a single grey row.
final class FakeFrame: Sendable, Equatable, CustomStringConvertible {
    let clip: String
    let number: Int
    let natural: Size
    let size: Size
    let isBlack: Bool
    let keeping: FrameKeeping
    let coded: CodedTraits?
    var description: String { "\(clip) \(number) \(size)" }

    init(
        clip: String, number: Int, natural: Size = Size(64, 36), size: Size = Size(64, 36), isBlack: Bool = false,
        keeping: FrameKeeping = .none, coded: CodedTraits? = nil
    ) {
        (self.clip, self.number, self.natural, self.size) = (clip, number, natural, size)
        (self.isBlack, self.keeping, self.coded) = (isBlack, keeping, coded)
    }

    /// The frame for a wall.
    var frame: Frame {
        let row = (isBlack ? GreyRow.black : .white).plane(width: size.width)
        return Frame(
            size: size, natural: natural, stored: natural, format: .i420(Colorimetry(.bt709, .limited)),
            planes: [row, row, row],
            coded: coded, type: number % 30 == 0 ? .intra : .predicted, original: keeping == .all ? original : nil,
            bytes: size.width * size.height * 3 / 2,
            bits: keeping == .none ? 10 : 8, owner: self)
    }

    /// The decoded frame. Its brightness is the number.
    private var original: Frame.Original {
        Frame.Original(
            self, coded?.colorimetry ?? SourceColorimetry(.init(), size: natural), bits: 8, .upright, bytes: 0
        ) { [natural, number] _, x, y in
            PixelValues(
                x: Int(x * Double(natural.width)), y: Int(y * Double(natural.height)),
                samples: [PixelValues.Sample("Y", number)], bits: 8,
                Color(red: 1, green: 2, blue: 3))
        }
    }

    static func == (a: FakeFrame, b: FakeFrame) -> Bool {
        (a.clip, a.number, a.natural, a.size, a.keeping) == (b.clip, b.number, b.natural, b.size, b.keeping)
    }
}

extension Frame {
    /// The clip and number of a simulated frame.
    var fake: FakeFrame { owner as! FakeFrame }
}

/// Samples of one level, which serve as every row of a plane.
private struct GreyRow: @unchecked Sendable {
    private let base: UnsafePointer<UInt8>
    private static let longest = 1 << 16

    static let black = GreyRow(level: 16)
    static let white = GreyRow(level: 235)

    private init(level: UInt8) {
        let samples = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.longest)
        samples.initialize(repeating: level, count: Self.longest)
        base = UnsafePointer(samples)
    }

    func plane(width: Int) -> Frame.Plane {
        precondition(width <= Self.longest, "a simulated frame is too wide")
        return Frame.Plane(base: base, stride: 0)
    }
}
