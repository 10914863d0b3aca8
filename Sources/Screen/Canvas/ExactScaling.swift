import WallCore

extension Raster {
    /// Fills it with another one, of which a part may lie outside: with the mean of its pixels where `target` is
    /// smaller, else between the nearest two. libyuv's bilinear scaling of colours makes them darker by up to one in 128.
    func fill(with source: Raster, at target: Rect) {
        let across = Shares(from: source.size.width, to: target.width, of: -target.x..<size.width - target.x)
        let down = Shares(from: source.size.height, to: target.height, of: -target.y..<size.height - target.y)
        let width = size.width
        withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width * 2) { memory in
            let row = memory.baseAddress!, sum = row + width
            row.initialize(repeating: .zero, count: width * 2)
            var scaled = -1
            for y in 0..<size.height {
                sum.update(repeating: SIMD4(repeating: 0.5), count: width)
                for (place, share) in down.of(y) {
                    if place != scaled { source.scaleRow(place, across, into: row) }
                    scaled = place
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

    private func scaleRow(_ y: Int, _ shares: Shares, into row: UnsafeMutablePointer<SIMD4<Float>>) {
        let bytes = UnsafeRawPointer(at(0, y))
        for x in 0..<shares.count {
            var sum = SIMD4<Float>.zero
            for (place, share) in shares.of(x) {
                sum += SIMD4<Float>(bytes.load(fromByteOffset: 4 * place, as: SIMD4<UInt8>.self)) * share
            }
            row[x] = sum
        }
    }
}

/// Which pixels of a row or column make each of another length, and how much of each.
private struct Shares {
    private let firsts: [Int]
    private let shares: [[Float]]
    var count: Int { firsts.count }

    /// `places`: those that are asked for.
    init(from length: Int, to wanted: Int, of places: Range<Int>) {
        let scale = Double(length) / Double(wanted)
        var firsts: [Int] = []
        var shares: [[Float]] = []
        for place in places {
            if scale <= 1 {
                let middle = min(max((Double(place) + 0.5) * scale - 0.5, 0), Double(length - 1))
                let first = Int(middle), rest = Float(middle - Double(first))
                firsts.append(first)
                shares.append(rest == 0 ? [1] : [1 - rest, rest])
            } else {
                let begin = Double(place) * scale, end = min(begin + scale, Double(length)), first = Int(begin)
                let last = min(length, max(first + 1, Int(end.rounded(.up))))
                firsts.append(first)
                shares.append(
                    (first..<last).map { Float((min(end, Double($0 + 1)) - max(begin, Double($0))) / (end - begin)) })
            }
        }
        (self.firsts, self.shares) = (firsts, shares)
    }

    func of(_ place: Int) -> some Sequence<(Int, Float)> { zip(firsts[place]..., shares[place]) }
}
