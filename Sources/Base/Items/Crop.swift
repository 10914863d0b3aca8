/// The part of a frame that is shown or measured: of the upright frame, before turn and flip.
public enum Crop: Hashable, Sendable {
    case fractions(Fractions)
    /// Pixels of the frame as it is stored, with the container's rotation and without its sample aspect.
    case pixels(Rect)

    public static let all = Crop.fractions(.all)

    /// Largest coordinate and largest side in pixels.
    public static let mostPixels = 65536

    /// Returns the crop of these numbers: pixels if the width or the height is above 1, else fractions. nil if they are
    /// neither.
    public init?(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        let numbers = [x, y, width, height]
        guard numbers.allSatisfy({ $0 >= 0 && $0 <= Double(Crop.mostPixels) }), width > 0, height > 0 else {
            return nil
        }
        if width > 1 || height > 1 {
            guard numbers.allSatisfy({ $0 == $0.rounded() }) else { return nil }
            self = .pixels(Rect(Int(x), Int(y), Int(width), Int(height)))
            return
        }
        // Fractions such as thirds, written with few digits, may add up to slightly more than 1.
        let slack = 1e-6
        guard x + width <= 1 + slack, y + height <= 1 + slack, x < 1, y < 1 else { return nil }
        self = .fractions(Fractions(x, y, min(width, 1 - x), min(height, 1 - y)))
    }

    /// Reads `640x360+10+20` (width, height, left and top in pixels), or the four numbers `x,y,w,h` of a layout.
    /// Returns nil for any other text.
    public init?(_ text: String) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        if words.count == 4 {
            let numbers = words.compactMap { Double($0) }
            guard numbers.count == 4 else { return nil }
            self.init(numbers[0], numbers[1], numbers[2], numbers[3])
            return
        }
        let parts = text.split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false)
        let pixels = (sides + parts[1...]).compactMap { $0.utf8.allSatisfy(isDigit) ? Int($0) : nil }
        guard sides.count == 2, pixels.count == 4, pixels.allSatisfy({ $0 <= Crop.mostPixels }), pixels[0] > 0,
            pixels[1] > 0
        else { return nil }
        self = .pixels(Rect(pixels[2], pixels[3], pixels[0], pixels[1]))
    }

    /// Returns the part in fractions of an upright frame of `size` stored pixels. Pixels beyond the frame are left out.
    /// A frame that has none of the pixels is shown whole.
    public func part(of size: Size) -> Fractions {
        switch self {
        case .fractions(let part): return part
        case .pixels(let rect):
            let kept = rect.intersection(Rect(size))
            return kept.isEmpty ? .all : Fractions(kept, in: Rect(size))
        }
    }

    /// The nearest pixels of a frame of `size`.
    public func pixels(in size: Size) -> Rect {
        let part = part(of: size), (width, height) = (Double(size.width), Double(size.height))
        func pixels(_ share: Double, _ length: Double) -> Int { Int((share * length).rounded()) }
        return Rect(
            pixels(part.x, width), pixels(part.y, height), pixels(part.width, width), pixels(part.height, height))
    }

    /// True if a frame of `size` stored pixels has all of the part.
    public func fits(in size: Size) -> Bool {
        if case .pixels(let rect) = self { Rect(size).contains(rect) } else { true }
    }
}
