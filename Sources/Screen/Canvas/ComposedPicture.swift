import CYUV
import Media
import WallCore

/// What a comparison shows, as opaque pixels in the size in which it is drawn; kept while its pictures stay.
final class ComposedPicture {
    struct Identity: Hashable {
        var pictures: ComparedPictures.Identity
        var size: Size
    }
    private(set) var identity: Identity?
    /// Its memory is this object's.
    private(set) var picture: Picture
    /// Rises with each that is made.
    private(set) var serial = 0
    private var memory = Memory()
    /// Where it was compared in another size.
    private var compared = Memory()
    private var strips = Memory()
    private var scaled: [Int: ScaledPicture] = [:]

    /// So many rows are converted at once: they stay in the cache until they are compared.
    private static let rowsOfStrip = 16

    init() {
        picture = Picture(size: Size(0, 0), natural: Size(0, 0), format: .bgra(.opaque), planes: [], giveBack: {})
    }

    /// Makes it, unless it is there.
    func compose(_ pictures: ComparedPictures, size: Size) {
        let wanted = Identity(pictures: pictures.identity, size: size)
        if identity == wanted { return }
        identity = wanted
        serial += 1
        let reference = PixelSource(pictures.parts[0].picture.decoded, crop: pictures.parts[0].crop).size
        let working = pictures.precision == .full ? reference : size
        let target = working == size ? memory.raster(size) : compared.raster(working)
        let sources = pictures.parts.indices.map { source(pictures.parts[$0], $0, of: working) }
        if pictures.mode == .wipe {
            wipe(sources, pictures.lines(in: Rect(working)), into: target)
        } else {
            combine(sources, ComparisonMath(mode: pictures.mode, gain: pictures.gain), into: target)
        }
        var drawn = target
        if working != size {
            drawn = memory.raster(size)
            ARGBScale(
                target.base, Int32(target.stride), Int32(working.width), Int32(working.height), drawn.base,
                Int32(drawn.stride), Int32(size.width), Int32(size.height), kFilterBox)
        }
        picture = Picture(
            size: size, natural: size, format: .bgra(.opaque),
            planes: [Picture.Plane(base: drawn.base, stride: drawn.stride)], giveBack: {})
    }

    /// A part of a comparison in the size in which it is compared.
    private func source(_ part: ComparedPictures.Part, _ place: Int, of size: Size) -> PixelSource {
        let source = PixelSource(part.picture.decoded, crop: part.crop)
        if source.size == size {
            scaled[place] = nil
            return source
        }
        let identity = ScaledPicture.Identity(stamp: part.stamp, crop: part.crop, size: size)
        if let kept = scaled[place] {
            if kept.identity != identity { kept.scale(part.picture.decoded, identity) }
        } else {
            scaled[place] = ScaledPicture(part.picture.decoded, identity)
        }
        return scaled[place]!.source
    }

    private func wipe(_ sources: [PixelSource], _ lines: WipeLines, into raster: Raster) {
        raster.fill(Rect(raster.size), .black)
        let columns = 0..<raster.size.width
        var first = 0
        // Rows that are divided alike are drawn in one go.
        while first < raster.size.height {
            let bands = lines.bands(inRow: first, columns: columns)
            var end = first + 1
            while end < raster.size.height, lines.bands(inRow: end, columns: columns).elementsEqual(bands, by: ==) {
                end += 1
            }
            var start = 0
            for (band, to) in bands {
                let part = Rect(start, first, to - start, end - first)
                sources[band].draw(part, into: raster, x: part.x, y: part.y)
                start = to
            }
            first = end
        }
    }

    private func combine(_ sources: [PixelSource], _ math: ComparisonMath, into raster: Raster) {
        let (width, height) = (raster.size.width, raster.size.height)
        let strip = strips.raster(Size(width, sources.count * Self.rowsOfStrip))
        for first in stride(from: 0, to: height, by: Self.rowsOfStrip) {
            let rows = min(Self.rowsOfStrip, height - first)
            for (place, source) in sources.enumerated() {
                let area = Rect(0, place * Self.rowsOfStrip, width, rows)
                if !source.isOpaque { strip.fill(area, .black) }
                source.draw(Rect(0, first, width, rows), into: strip, x: 0, y: area.y)
            }
            for row in 0..<rows {
                let all = sources.indices.map { UnsafePointer(strip.at(0, $0 * Self.rowsOfStrip + row)) }
                math.combine(all, into: raster.at(0, first + row), pixels: width)
            }
        }
    }
}

extension PixelSource {
    fileprivate var isOpaque: Bool { format != .bgra(.translucent) }
}

/// Pixels that grow as they are needed.
private final class Memory {
    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 64)

    deinit { bytes.deallocate() }

    /// Not cleared.
    func raster(_ size: Size) -> Raster {
        let stride = (size.width * 4 + 63) & ~63
        if bytes.count < stride * size.height {
            bytes.deallocate()
            bytes = .allocate(byteCount: stride * size.height, alignment: 64)
        }
        return Raster(base: bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), stride: stride, size: size)
    }
}
