import Base
import CYUV
import Decoded
import Media
import Scene

/// The result of a comparison: opaque pixels in the size in which they are drawn, kept while the compared frames stay.
/// On the CPU canvas a wipe is drawn directly instead.
final class ComposedFrame {
    private var identity: ComparedFrames.Identity?
    /// Rises with each composition.
    private var serial = 0
    /// Gain of the composed frame; nil if its mode has none.
    private(set) var gain: Double?
    private var memory = RasterMemory()
    /// Memory for the comparison, if it is computed in another size than the size in which it is drawn.
    private var compared = RasterMemory()
    private var strips = RasterMemory()
    private var scaled: [Int: ScaledFrame] = [:]
    private var deep: [DeepColours] = []

    /// Number of rows that are converted at once. They stay in the cache until they are compared.
    private static let rowsOfStrip = 16

    /// Composes the frame, unless it is up to date, and returns it. Its memory belongs to this object.
    @discardableResult
    func compose(_ frames: ComparedFrames) -> PlacedFrame {
        let drawn = memory.raster(frames.target.size)
        if identity != frames.identity {
            (identity, gain, serial) = (frames.identity, nil, serial + 1)
            if frames.mode == .wipe {
                drawWipe(frames, in: Rect(drawn.size), Rect(drawn.size), into: drawn)
            } else {
                combine(frames, into: drawn)
            }
        }
        return PlacedFrame(drawn.frame(.opaque), stamp: Stamp(composed: serial), crop: .all, target: frames.target)
    }

    /// Draws `clip` of a wipe that fills `target`, straight from the frames' pixels.
    func drawWipe(_ frames: ComparedFrames, in target: Rect, _ clip: Rect, into raster: Raster) {
        let first = frames.parts[0]
        let reference = FramePlacement(of: first.frame, crop: first.crop, in: target)
        let scaling: ScaledFrame.Scaling = reference.isMagnified ? .square : .exact
        let sources = sources(frames, reference, in: reference.target.size, scaling)
        if !sources.allSatisfy(\.isOpaque) { raster.fill(clip, .black) }
        let lines = frames.lines(in: target), columns = clip.x..<clip.maxX
        var row = clip.y
        // Consecutive rows with the same dividing lines are drawn in one go.
        while row < clip.maxY {
            let bands = lines.bands(inRow: row, columns: columns)
            var end = lines.areUpright ? clip.maxY : row + 1
            while end < clip.maxY, lines.bands(inRow: end, columns: columns).elementsEqual(bands, by: ==) {
                end += 1
            }
            var start = clip.x
            for (band, to) in bands {
                // A little of the frames may lie outside of the raster.
                sources[band].draw(Rect(start, row, to - start, end - row), of: reference.target, into: raster)
                start = to
            }
            row = end
        }
    }

    private func combine(_ frames: ComparedFrames, into drawn: Raster) {
        let first = frames.parts[0]
        let reference = FramePlacement(of: first.frame, crop: first.crop, in: Rect(drawn.size))
        let isFull = frames.precision == .full || reference.isMagnified
        let working = isFull ? reference.source.size : reference.target.size
        let isDirect = working == drawn.size && reference.target == Rect(drawn.size)
        let made = isDirect ? drawn : compared.raster(working)
        if !combineDeep(frames, reference, into: made) {
            let sources = sources(frames, reference, in: working, .exact)
            let gain = noteGain(of: frames) { automaticGain(of: sources, working) }
            combine(sources, ComparisonMath(mode: frames.mode, gain: gain), into: made)
        }
        if isDirect { return }
        if reference.isMagnified {
            scale(made, to: reference.target, into: drawn)
        } else {
            drawn.fill(with: made, at: reference.target)
        }
    }

    /// Returns the gain of the frames, and notes it. `chosen`: the gain if it is automatic.
    private func noteGain(of frames: ComparedFrames, _ chosen: () -> Double) -> Double {
        guard frames.mode.usesGain else { return 1 }
        let used = frames.gain ?? chosen()
        gain = used
        return used
    }

    private func automaticGain(of sources: [PixelSource], _ size: Size) -> Double {
        let strip = strips.raster(Size(size.width, sources.count * Self.rowsOfStrip))
        var automatic = AutomaticGain()
        for y in stride(from: 0, to: size.height, by: AutomaticGain.step(ofHeight: size.height)) {
            for (place, source) in sources.enumerated() {
                if !source.isOpaque { strip.fill(Rect(0, place, size.width, 1), .black) }
                source.draw(Rect(0, y, size.width, 1), into: strip, x: 0, y: place)
            }
            let rows = sources.indices.map { UnsafePointer(strip.at(0, $0)) }, apart = strip.at(0, sources.count)
            ComparisonMath.findLargest(rows, apart, size.width)
            for pixel in 0..<size.width { automatic.add(UInt16(apart[pixel * 4]) << 8) }
        }
        return automatic.gain
    }

    /// Returns the same part of each frame, in one size. The part covers whole pixels of the first frame.
    private func sources(
        _ frames: ComparedFrames, _ reference: FramePlacement, in size: Size, _ scaling: ScaledFrame.Scaling
    ) -> [PixelSource] {
        let shared = sharedPart(frames, reference)
        return frames.parts.enumerated().map { place, compared in
            let identity = ScaledFrame.Identity(
                stamp: compared.stamp, part: compared.frame.pixels(of: shared.of(compared.crop)), size: size,
                scaling: scaling)
            return ScaledFrame.source(compared.frame, identity, keeping: &scaled[place])
        }
    }

    /// Returns the part of each frame's crop that covers whole pixels of the first frame.
    private func sharedPart(_ frames: ComparedFrames, _ reference: FramePlacement) -> Fractions {
        let first = frames.parts[0]
        return Fractions(reference.source, in: Rect(first.frame.size)).within(first.crop)
    }

    /// Enlarges pixels to squares. Clips what lies outside of the raster.
    private func scale(_ from: Raster, to target: Rect, into raster: Raster) {
        let seen = target.intersection(Rect(raster.size))
        ARGBScaleClip(
            from.base, Int32(from.stride), Int32(from.size.width), Int32(from.size.height),
            raster.base + target.y * raster.stride + target.x * 4, Int32(raster.stride), Int32(target.width),
            Int32(target.height), Int32(seen.x - target.x), Int32(seen.y - target.y), Int32(seen.width),
            Int32(seen.height), kFilterNone)
    }

    /// Compares code values in as many bits as the deepest frame has. Returns false if what is shown has them all, if
    /// their colours are unlike, or if swscale can't convert them.
    private func combineDeep(
        _ frames: ComparedFrames, _ reference: FramePlacement, into raster: Raster
    ) -> Bool {
        guard frames.parts.contains(where: { $0.frame.isReduced }), hasCodeValues(frames) else { return false }
        let shared = sharedPart(frames, reference)
        while deep.count < frames.parts.count { deep.append(DeepColours()) }
        var planes: [DeepColours.Planes] = []
        for (place, compared) in frames.parts.enumerated() {
            let frame = compared.frame
            let part = frame.pixels(of: shared.of(compared.crop))
            guard let made = deep[place].planes(of: frame, part: part, size: raster.size) else { return false }
            planes.append(made)
        }
        let gain = noteGain(of: frames) { DeepComparisonMath.automaticGain(of: planes, raster.size) }
        DeepComparisonMath(mode: frames.mode, gain: gain).combine(planes, into: raster)
        return true
    }

    /// Returns true if the mode compares the frames' code values. An overlay shows colours.
    private func hasCodeValues(_ frames: ComparedFrames) -> Bool {
        let colours = frames.parts.compactMap { $0.frame.coded?.colorimetry }
        guard let first = colours.first else { return true }
        return colours.allSatisfy { own in
            own.isComparable(with: first) && (frames.mode != .overlay || !own.isHDR && !own.isWide)
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
