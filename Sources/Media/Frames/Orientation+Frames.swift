import Base
import CFFmpeg
import Decoded

extension Orientation {
    /// Orientation that makes a stored frame upright, by the nine numbers of a display matrix; nil if they are not
    /// there. Angles in between are rounded to the nearest quarter.
    init?(displayMatrix data: UnsafePointer<UInt8>?, bytes: Int) {
        guard let data, bytes >= 36 else { return nil }
        func number(_ place: Int) -> Int64 {
            Int64(UnsafeRawPointer(data).loadUnaligned(fromByteOffset: 4 * place, as: Int32.self))
        }
        let (a, b, c, d) = (number(0), number(1), number(3), number(4))
        let isMirrored = a * d < b * c
        // Direction of the stored left-to-right axis, with the mirroring undone.
        let (x, y) = isMirrored ? (-a, -b) : (a, b)
        let turn: Turn = abs(x) >= abs(y) ? (x >= 0 ? .none : .half) : (y > 0 ? .quarter : .threeQuarters)
        self.init(isMirrored ? .leftToRight : .none, turn)
    }

    /// Orientation that the container states for a stream.
    init(of stream: UnsafeMutablePointer<AVStream>) {
        var size = 0
        let data = qd_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size)
        self = Orientation(displayMatrix: data, bytes: size) ?? .upright
    }
}

/// Returns a stored size in square pixels. The side that is too short is stretched.
func squarePixels(_ size: Size, aspect: AVRational) -> Size {
    let (num, den) = (Int(aspect.num), Int(aspect.den))
    // No pixel is a hundred times as wide as high: such a header is wrong.
    guard num > 0, den > 0, num != den, num <= den * 100, den <= num * 100 else { return size }
    return num > den
        ? Size((size.width * num + den / 2) / den, size.height)
        : Size(size.width, (size.height * den + num / 2) / num)
}

extension Orientation {
    /// Maps a point of the upright frame to the stored one, both as shares of width and height.
    func stored(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        let place =
            switch turn {
            case .none: (x: x, y: y)
            case .quarter: (x: y, y: 1 - x)
            case .half: (x: 1 - x, y: 1 - y)
            case .threeQuarters: (x: 1 - y, y: x)
            }
        return mirroring == .leftToRight ? (1 - place.x, place.y) : place
    }
}
