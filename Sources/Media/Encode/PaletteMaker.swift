import Base
import CFFmpeg

/// Finds 256 colours for each frame by median cut: splits its colour space at the median repeatedly. Belongs to one
/// thread.
final class PaletteMaker {
    private let size: Size
    /// Number of pixels by colour at 5 bits a channel, and palette index of each colour.
    private var counts = [Int32](repeating: 0, count: 1 << 15)
    private var places = [UInt8](repeating: 0, count: 1 << 15)

    init(_ size: Size) { self.size = size }

    private struct Box {
        var colours: [Int]
        var pixels: Int
        /// Shift of the longest side's channel in a colour's number.
        var axis = 0
        var extent = 0
    }

    func fill(_ codecFrame: UnsafeMutablePointer<AVFrame>, from base: UnsafePointer<UInt8>, stride: Int) {
        guard let target = qd_plane(codecFrame, 0), let palette = qd_plane(codecFrame, 1) else { return }
        let targetStride = Int(qd_stride(codecFrame, 0))
        for index in counts.indices { counts[index] = 0 }
        counts.withUnsafeMutableBufferPointer { counts in
            for y in 0..<size.height {
                let row = base + y * stride
                for x in 0..<size.width { counts[PaletteMaker.number(row + x * 4)] += 1 }
            }
        }
        let colours = UnsafeMutableRawPointer(palette).assumingMemoryBound(to: UInt32.self)
        for index in 0..<256 { colours[index] = 0xFF00_0000 }
        for (index, box) in boxes().enumerated() {
            colours[index] = mean(of: box)
            for colour in box.colours { places[colour] = UInt8(index) }
        }
        places.withUnsafeBufferPointer { places in
            for y in 0..<size.height {
                let row = base + y * stride
                for x in 0..<size.width { target[y * targetStride + x] = places[PaletteMaker.number(row + x * 4)] }
            }
        }
    }

    private static func number(_ pixel: UnsafePointer<UInt8>) -> Int {
        Int(pixel[2] >> 3) << 10 | Int(pixel[1] >> 3) << 5 | Int(pixel[0] >> 3)
    }

    private func boxes() -> [Box] {
        var boxes = [measured(Box(colours: counts.indices.filter { counts[$0] > 0 }, pixels: 0))]
        while boxes.count < 256 {
            let widest = boxes.indices.max { weight(boxes[$0]) < weight(boxes[$1]) }
            guard let widest, boxes[widest].extent > 0 else { break }
            let (low, high) = cut(boxes[widest])
            boxes[widest] = low
            boxes.append(high)
        }
        return boxes
    }

    private func weight(_ box: Box) -> Int { box.extent * box.pixels }

    private func cut(_ box: Box) -> (Box, Box) {
        let sorted = box.colours.sorted { ($0 >> box.axis & 31, $0) < ($1 >> box.axis & 31, $1) }
        var (passed, place) = (0, 0)
        while place < sorted.count - 1, passed * 2 < box.pixels {
            passed += Int(counts[sorted[place]])
            place += 1
        }
        place = max(1, place)
        return (
            measured(Box(colours: Array(sorted[..<place]), pixels: 0)),
            measured(Box(colours: Array(sorted[place...]), pixels: 0))
        )
    }

    private func measured(_ box: Box) -> Box {
        var result = box
        result.pixels = box.colours.reduce(0) { $0 + Int(counts[$1]) }
        for axis in [0, 5, 10] {
            let values = box.colours.lazy.map { $0 >> axis & 31 }
            let extent = (values.max() ?? 0) - (values.min() ?? 0)
            if extent > result.extent { (result.axis, result.extent) = (axis, extent) }
        }
        return result
    }

    private func mean(of box: Box) -> UInt32 {
        var colour: UInt32 = 0xFF00_0000
        for axis in [0, 5, 10] {
            let sum = box.colours.reduce(0) { $0 + Int(counts[$1]) * ($1 >> axis & 31) }
            let value = box.pixels == 0 ? 0 : (sum * 255 + box.pixels * 31 / 2) / (box.pixels * 31)
            colour |= UInt32(value) << UInt32(axis / 5 * 8)
        }
        return colour
    }
}
