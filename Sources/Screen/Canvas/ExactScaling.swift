import Base

extension Raster {
    /// Scales `source` to `target` in this raster. A part of `target` may lie outside of the raster. A shrunk pixel is
    /// the mean of its source pixels; an enlarged one is interpolated between the nearest two. libyuv's bilinear
    /// scaling is faster, but darkens colours by up to one in 128.
    func fill(with source: Raster, at target: Rect) {
        let across = Shares(from: source.size.width, to: target.width, of: -target.x..<size.width - target.x)
        let down = Shares(from: source.size.height, to: target.height, of: -target.y..<size.height - target.y)
        let width = size.width
        withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width * 3) { memory in
            let sum = memory.baseAddress!
            memory.initialize(repeating: .zero)
            // The rows that were scaled last. When enlarging, each is used several times.
            var (newer, older) = ((row: sum + width, place: -1), (row: sum + 2 * width, place: -1))
            for y in 0..<size.height {
                sum.update(repeating: SIMD4(repeating: 0.5), count: width)
                for (place, share) in down.of(y) {
                    if place == older.place { swap(&newer, &older) }
                    if place != newer.place {
                        swap(&newer, &older)
                        across.scale(source.at(0, place), into: newer.row)
                        newer.place = place
                    }
                    let row = newer.row
                    for x in 0..<width { sum[x] += row[x] * share }
                }
                let bytes = UnsafeMutableRawPointer(at(0, y))
                for x in 0..<width {
                    let pixel = SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(sum[x]))
                    bytes.storeBytes(of: pixel, toByteOffset: 4 * x, as: SIMD4<UInt8>.self)
                }
            }
        }
    }
}

/// The source pixels that make each pixel of a row or column of another length, and the share of each.
private struct Shares {
    private var firsts: [Int] = []
    /// Shares of all pixels, one after the other. `starts`: index of each pixel's first share, and at last the number
    /// of shares.
    private var shares: [Float] = []
    private var starts: [Int] = [0]

    /// `places`: the pixels that are wanted.
    init(from length: Int, to wanted: Int, of places: Range<Int>) {
        let scale = Double(length) / Double(wanted)
        for place in places {
            if scale <= 1 {
                let middle = min(max((Double(place) + 0.5) * scale - 0.5, 0), Double(length - 1))
                let first = Int(middle), rest = Float(middle - Double(first))
                add(first, rest == 0 ? [1] : [1 - rest, rest])
            } else {
                let begin = Double(place) * scale, end = min(begin + scale, Double(length)), first = Int(begin)
                let last = min(length, max(first + 1, Int(end.rounded(.up))))
                add(
                    first,
                    (first..<last).map { Float((min(end, Double($0 + 1)) - max(begin, Double($0))) / (end - begin)) })
            }
        }
    }

    private mutating func add(_ first: Int, _ more: [Float]) {
        firsts.append(first)
        shares += more
        starts.append(shares.count)
    }

    func of(_ place: Int) -> some Sequence<(Int, Float)> {
        zip(firsts[place]..., shares[starts[place]..<starts[place + 1]])
    }

    /// Scales a row of pixels.
    func scale(_ pixels: UnsafeRawPointer, into row: UnsafeMutablePointer<SIMD4<Float>>) {
        shares.withUnsafeBufferPointer { shares in
            for place in firsts.indices {
                var sum = SIMD4<Float>.zero, offset = 4 * firsts[place]
                for index in starts[place]..<starts[place + 1] {
                    let pixel = pixels.load(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                    sum += SIMD4<Float>(pixel) * shares[index]
                    offset += 4
                }
                row[place] = sum
            }
        }
    }
}
