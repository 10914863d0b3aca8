import Base
import CFFmpeg
import Decoded
import Opened

/// Makes the canvas's frames of codec frames: scaled, upright, turned and flipped, in a format that the canvas accepts,
/// and in colours that an SDR display shows.
///
/// Belongs to one thread. Reads all parameters from each frame, so a change in mid-stream needs no setup. Planar 8-bit
/// frames that need no step are not copied: the frame retains the codec frame.
public final class Scaler {
    private let converter = ColourConverter()
    private let mapper = ColourMapper()

    public init() {}

    /// `wanted`: size of the finished frame, after the turn. No side gets larger than the codec frame's, or less than
    /// 1.
    public func frame(
        from codecFrame: CodecFrame, size wanted: Size, settings: DecodeSettings = DecodeSettings(),
        formats: FrameFormats, keeping: FrameKeeping = .none, pool: FrameBufferPool
    ) throws(SourceTrouble) -> Frame {
        let orientation = codecFrame.orientation.then(Orientation(.none, settings.turn))
            .then(Orientation(settings.flip))
        let turned = wanted.turned(orientation.turn), most = codecFrame.storage
        let target = Size(max(1, min(turned.width, most.width)), max(1, min(turned.height, most.height)))
        let layout = FrameLayout(codecFrame.format)
        func frame(_ planes: PlaneBuffer, _ format: Frame.Format) -> Frame {
            let isKept = keeping.includes(bits: codecFrame.bits, codecFrame.colorimetry)
            return planes.frame(format, turned: settings.turn, of: codecFrame, oriented: isKept ? orientation : nil)
        }

        let opacity = if case .other(let opacity) = layout { opacity } else { Frame.Opacity.opaque }
        if let mapped = try mapper.colours(
            of: codecFrame, layout, size: target, settings.toneMapping.resolved, in: pool)
        {
            return frame(try mapped.oriented(orientation, in: pool), .bgra(opacity))
        }
        guard let colorimetry = Colorimetry(codecFrame.colorimetry),
            let planes = try PlaneBuffer.planes(of: codecFrame, layout, in: pool)
        else {
            let colours = try converter.convert(codecFrame, in: pool)
            if opacity == .translucent { colours.premultiply() }
            return frame(
                try colours.scaled(to: target, as: .bgra, in: pool).oriented(orientation, in: pool), .bgra(opacity))
        }
        // Half the chroma is enough for a frame of half the size.
        let isHalved = target.width * 2 <= planes.size.width && target.height * 2 <= planes.size.height
        let chroma: PlaneBuffer.Layout = planes.layout == .i420 || isHalved ? .i420 : .i444
        let finished = try planes.scaled(to: target, as: chroma, in: pool).oriented(orientation, in: pool)
        let format: Frame.Format = chroma == .i420 ? .i420(colorimetry) : .i444(colorimetry)
        guard formats.takes(format) else {
            return frame(try finished.convertedToColours(colorimetry, in: pool), .bgra(.opaque))
        }
        return frame(finished, format)
    }
}

/// Reduces frames to small grey images. Belongs to one thread.
final class Glancer {
    private let scaler = Scaler()
    private let pool = FrameBufferPool(keeping: 1 << 20)
    private let size: Size

    init(size: Size) { self.size = size }

    /// Returns rows without gaps, always of this size: pixels of a smaller frame are repeated.
    func glance(at codecFrame: CodecFrame) throws(SourceTrouble) -> Glance {
        let frame = try scaler.frame(from: codecFrame, size: size, formats: .bgra, pool: pool)
        let plane = frame.planes[0]
        var brightness: [UInt8] = []
        brightness.reserveCapacity(size.width * size.height)
        for y in 0..<size.height {
            let row = plane.base + y * frame.size.height / size.height * plane.stride
            for x in 0..<size.width {
                let pixel = row + x * frame.size.width / size.width * 4
                let (b, g, r) = (Int(pixel[0]), Int(pixel[1]), Int(pixel[2]))
                brightness.append(UInt8((r * 77 + g * 150 + b * 29) >> 8))
            }
        }
        return Glance(brightness: brightness)
    }
}
