import Base
import Scene

/// The composed frames of the views on the screen. Used by one thread at a time.
final class Compositions {
    private var composed: [ViewKey: ComposedFrame] = [:]
    /// Gains that were chosen from the frames of the last scene.
    private(set) var gains: [TileID: Double] = [:]

    /// Returns the composed frame of a view, which is made at the first call.
    subscript(key: ViewKey) -> ComposedFrame {
        if let frame = composed[key] { return frame }
        let frame = ComposedFrame()
        composed[key] = frame
        return frame
    }

    /// Forgets the frames of other views.
    func keepOnly(_ keys: Set<ViewKey>) { composed = composed.filter { keys.contains($0.key) } }

    /// Composes the frames whose gain is automatic, and adds the gain to the marks.
    func settleGains(of scene: inout Scene, _ keys: [ViewKey]) {
        gains = [:]
        for (place, key) in keys.enumerated() {
            guard case .comparison(let frames, let target) = scene.views[place].content, frames.gain == nil,
                frames.mode.usesGain, !target.intersection(Rect(scene.size)).isEmpty
            else { continue }
            let composed = self[key]
            composed.compose(frames, size: target.size)
            guard let gain = composed.gain else { continue }
            gains[scene.views[place].tile] = gain
            scene.views[place].marks?.state(gain: gain)
        }
    }
}

extension Marks {
    /// Adds a gain to the names that leave it to the canvas.
    fileprivate mutating func state(gain: Double) {
        for place in sides.indices where sides[place].showsGain {
            let words = "\u{D7}\(gain.plain), automatic"
            sides[place].name = sides[place].name.isEmpty ? words : "\(sides[place].name)  \(words)"
            sides[place].showsGain = false
        }
    }
}

/// Chooses the gain of a difference from the frame: the largest power of two with which almost all of the pixels that
/// differ stay below white.
struct AutomaticGain {
    private var counts = [Int](repeating: 0, count: 1 << 12)
    private var sum = 0

    /// Share of the pixels that stay below white.
    private static let share = 0.99
    private static let range = 1.0...64.0
    /// Rows of which the gain is chosen, at least, if the frame has them.
    private static let rows = 256

    /// Distance between the rows of which the gain is chosen.
    static func step(ofHeight height: Int) -> Int { max(1, height / rows) }

    /// Adds the largest difference of a pixel among its colours, of 16 bits. Pixels that are equal don't count.
    mutating func add(_ apart: UInt16) {
        guard apart > 0 else { return }
        counts[Int(apart >> 4)] += 1
        sum += 1
    }

    var gain: Double {
        guard sum > 0 else { return Self.range.upperBound }
        let least = Int((Double(sum) * Self.share).rounded(.up))
        var (place, count) = (0, counts[0])
        while count < least {
            place += 1
            count += counts[place]
        }
        // Upper end of the differences that are counted in this place.
        let apart = Double((place + 1) << 4)
        var gain = Self.range.lowerBound
        while gain < Self.range.upperBound, apart * gain * 2 <= 65536 { gain *= 2 }
        return gain
    }
}
