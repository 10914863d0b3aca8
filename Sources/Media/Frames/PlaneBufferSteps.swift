import Base
import CColours
import CYUV
import Decoded

// The steps of a scaler. Each returns new planes, or the same ones if there is nothing to do.

extension PlaneBuffer {
    /// Scales each plane by itself. Chroma is scaled to `layout`'s size in the same step.
    func scaled(to target: Size, as layout: Layout, in pool: FrameBufferPool) throws(SourceTrouble) -> PlaneBuffer {
        if target == size, layout == self.layout { return self }
        let result = try PlaneBuffer(layout, target, of: sample, in: pool)
        for (from, to) in zip(planes, result.planes) { try scalePlane(from, to, sample, pool) }
        return result
    }

    /// Scales three planes to `target`'s size and converts them. `order`: index of the plane of each column of the
    /// matrix. `target`: a plane of BGRA or of words of luminance.
    func convert(by tables: ColourTables, order: (Int, Int, Int), to target: Plane, in pool: FrameBufferPool)
        throws(SourceTrouble)
    {
        let isScaled = planes.contains { $0.size != target.size }
        let scaled = isScaled ? try PlaneBuffer(.i444, target.size, of: sample, in: pool) : nil
        func plane(_ index: Int) throws(SourceTrouble) -> Plane {
            guard let scaled, planes[index].size != target.size else { return planes[index] }
            try scalePlane(planes[index], scaled.planes[index], sample, pool)
            return scaled.planes[index]
        }
        let from = (try plane(order.0), try plane(order.1), try plane(order.2)), size = target.size
        func rows<Sample>(_ row: Int) -> ColourTables.Row<Sample> {
            ColourTables.Row(
                samples: (from.0.row(row), from.1.row(row), from.2.row(row)),
                target: UnsafeMutableRawPointer(target.base + row * Int(target.stride)))
        }
        switch sample {
        case .byte: tables.convert(0..<size.height, width: size.width, tables.steps.find_bytes, rows)
        case .word: tables.convert(0..<size.height, width: size.width, tables.steps.find_words, rows)
        case .colours: preconditionFailure("BGRA has no three planes")
        }
        withExtendedLifetime((self, scaled)) {}
    }

    func oriented(_ orientation: Orientation, in pool: FrameBufferPool) throws(SourceTrouble) -> PlaneBuffer {
        // `Frame` requires rows that run downwards.
        if orientation == .upright, planes.allSatisfy({ $0.stride > 0 }) { return self }
        let result = try PlaneBuffer(layout, size.turned(orientation.turn), of: sample, in: pool)
        for (from, to) in zip(planes, result.planes) { from.copy(to: to, sample, in: orientation) }
        return result
    }

    /// Converts I420 or I444 to BGRA.
    func convertedToColours(_ colorimetry: Colorimetry, in pool: FrameBufferPool) throws(SourceTrouble) -> PlaneBuffer {
        let result = try PlaneBuffer(.bgra, size, in: pool)
        let (y, u, v, to) = (planes[0], planes[1], planes[2], result.planes[0])
        let constants = yuvConstants(colorimetry)
        if layout == .i420 {
            I420ToARGBMatrixFilter(
                y.base, y.stride, u.base, u.stride, v.base, v.stride, to.base, to.stride, constants, y.width, y.height,
                kFilterBilinear)
        } else {
            I444ToARGBMatrix(
                y.base, y.stride, u.base, u.stride, v.base, v.stride, to.base, to.stride, constants, y.width, y.height)
        }
        return result
    }

    /// Multiplies colours by their opacity, in place.
    func premultiply() {
        let plane = planes[0]
        ARGBAttenuate(plane.base, plane.stride, plane.base, plane.stride, plane.width, plane.height)
    }
}

extension PlaneBuffer.Plane {
    fileprivate func row<Sample>(_ number: Int) -> UnsafePointer<Sample> {
        UnsafeRawPointer(base + number * Int(stride)).assumingMemoryBound(to: Sample.self)
    }

    fileprivate func mutableRow<Pixel>(_ number: Int) -> UnsafeMutablePointer<Pixel> {
        UnsafeMutableRawPointer(base + number * Int(stride)).assumingMemoryBound(to: Pixel.self)
    }

    /// Stores the samples in `orientation`, in another plane.
    func copy(to plane: PlaneBuffer.Plane, _ sample: PlaneBuffer.Sample, in orientation: Orientation) {
        // A left-right mirror equals a top-bottom mirror turned by 180°. libyuv does both in one call, by a negative
        // height.
        let isMirrored = orientation.mirroring == .leftToRight
        let mode = RotationMode(UInt32((orientation.turn.rawValue + (isMirrored ? 180 : 0)) % 360))
        let height = isMirrored ? -self.height : self.height
        switch sample {
        case .byte: RotatePlane(base, stride, plane.base, plane.stride, width, height, mode)
        case .word: RotatePlane_16(row(0), stride / 2, plane.mutableRow(0), plane.stride / 2, width, height, mode)
        case .colours: ARGBRotate(base, stride, plane.base, plane.stride, width, height, mode)
        }
    }

    /// Scales to another plane with one of libyuv's filters.
    fileprivate func scale(to plane: PlaneBuffer.Plane, _ sample: PlaneBuffer.Sample, _ filter: FilterMode) {
        switch sample {
        case .byte: ScalePlane(base, stride, width, height, plane.base, plane.stride, plane.width, plane.height, filter)
        case .word where width == 2 * plane.width && height == 2 * plane.height: halve(to: plane)
        case .word:
            ScalePlane_16(
                row(0), stride / 2, width, height, plane.mutableRow(0), plane.stride / 2, plane.width, plane.height,
                filter)
        case .colours:
            ARGBScale(base, stride, width, height, plane.base, plane.stride, plane.width, plane.height, filter)
        }
    }

    /// Halves words, each to the mean of four, with a quarter of the instructions of libyuv's box filter.
    private func halve(to plane: PlaneBuffer.Plane) {
        let halve = qd_colour_steps().pointee.halve!
        for y in 0..<plane.size.height { halve(row(2 * y), row(2 * y + 1), plane.mutableRow(y), plane.width) }
    }
}

/// Scales one plane. The box filter shrinks to exact halves and quarters. If both sides shrink by more than two, the
/// box filter halves them first. If one side shrinks by more than two, the box filter scales; else the bilinear filter.
///
/// libyuv's box filter for pixels of four bytes takes exact halves and quarters only. So an odd last row or column is
/// left out of them, and the bilinear filter scales if only one side shrinks by more than two.
private func scalePlane(
    _ from: PlaneBuffer.Plane, _ to: PlaneBuffer.Plane, _ sample: PlaneBuffer.Sample, _ pool: FrameBufferPool
) throws(SourceTrouble) {
    guard from.size != to.size else {
        return CopyPlane(from.base, from.stride, to.base, to.stride, from.width * Int32(sample.rawValue), from.height)
    }
    let isExact = [2, 4].contains { from.size == Size(to.size.width * $0, to.size.height * $0) }
    let shrinksMuch = (across: from.size.width > 2 * to.size.width, down: from.size.height > 2 * to.size.height)
    switch shrinksMuch {
    case _ where isExact: from.scale(to: to, sample, kFilterBox)
    case (false, false): from.scale(to: to, sample, kFilterBilinear)
    case (true, false), (false, true): from.scale(to: to, sample, sample == .colours ? kFilterBilinear : kFilterBox)
    case (true, true):
        let odd = sample == .colours ? 0 : 1
        let half = Size((from.size.width + odd) / 2, (from.size.height + odd) / 2)
        let even = sample == .colours ? Size(half.width * 2, half.height * 2) : from.size
        let stride = (half.width * sample.rawValue + 63) & ~63
        let buffer = try pool.buffer(ofBytes: stride * half.height + 64)
        let between = PlaneBuffer.Plane(
            base: buffer.base.assumingMemoryBound(to: UInt8.self), stride: Int32(stride), size: half)
        PlaneBuffer.Plane(base: from.base, stride: from.stride, size: even).scale(to: between, sample, kFilterBox)
        try scalePlane(between, to, sample, pool)
        withExtendedLifetime(buffer) {}
    }
}
