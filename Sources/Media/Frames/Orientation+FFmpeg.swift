import Base
import CFFmpeg
import Scene

extension Orientation {
    /// Orientation that makes a stored frame upright, by the nine numbers of a display matrix. Angles in between are
    /// rounded to the nearest quarter.
    init(displayMatrix m: UnsafePointer<Int32>) {
        let (a, b, c, d) = (Int64(m[0]), Int64(m[1]), Int64(m[3]), Int64(m[4]))
        let isMirrored = a * d < b * c
        // Direction of the stored left-to-right axis, with the mirroring undone.
        let (x, y) = isMirrored ? (-a, -b) : (a, b)
        let turn: Turn = abs(x) >= abs(y) ? (x >= 0 ? .none : .half) : (y > 0 ? .quarter : .threeQuarters)
        self.init(isMirrored ? .leftToRight : .none, turn)
    }

    /// Orientation that the container states for a stream.
    init(of stream: UnsafeMutablePointer<AVStream>) {
        var size = 0
        guard let data = qd_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 36 else {
            self = .upright
            return
        }
        self = data.withMemoryRebound(to: Int32.self, capacity: 9) { Orientation(displayMatrix: $0) }
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
