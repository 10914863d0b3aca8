import Base
import CYUV
import Media

/// All that a drawn frame of subtitles depends on.
struct SubtitleOrder: Hashable, Sendable {
    let script: SubtitleScript
    /// Number of subtitles that had been read from the script.
    let count: Int
    let time: Time
    /// Size of the area that they are drawn over, in pixels.
    let size: Size
    /// Size of the film, in its own pixels; empty if unknown.
    let film: Size
    /// Look of subtitles from a script without styles.
    let layout: LyricsLayout

    /// True if `other` is for the same script, sizes and look, and for the same time or less than a second later.
    /// `count` may differ.
    func isShortly(before other: SubtitleOrder) -> Bool {
        script == other.script && (size, film) == (other.size, other.film) && layout == other.layout
            && time <= other.time && other.time - time < .seconds(1)
    }
}

extension SubtitleScript: Hashable {
    public static func == (a: SubtitleScript, b: SubtitleScript) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Subtitles at one instant. Immutable.
struct SubtitleFrame: Drawing {
    /// From top to bottom; empty if nothing is visible. Rows between the bands have no pixels.
    let bands: [Band]

    struct Band: Sendable {
        let bitmap: TextBitmap
        let origin: Point
    }

    static let empty = SubtitleFrame(bands: [])

    var bytes: Int { bands.reduce(0) { $0 + $1.bitmap.bytes } }
}

// Subtitles that are images.
extension SubtitleFrame {
    /// Scales the images with the film, which is as wide as the frame for which they were made.
    init(images: [SubtitleImage], in size: Size) {
        self.init(
            bands: images.compactMap { image in
                let canvas = image.canvas.width > 0 && image.canvas.height > 0 ? image.canvas : size
                let scale = Double(size.width) / Double(canvas.width)
                func scaled(_ length: Int) -> Int { Int((Double(length) * scale).rounded()) }
                // Films without black bars are lower than that frame: their middles meet.
                let top = (size.height - scaled(canvas.height)) / 2
                let (width, height) = (max(1, scaled(image.place.width)), max(1, scaled(image.place.height)))
                guard width <= 4 * size.width, height <= 4 * size.height else { return nil }
                let y = min(max(top + scaled(image.place.y), 0), max(0, size.height - height))
                return Band(
                    bitmap: image.bitmap(Size(width, height)), origin: Point(scaled(image.place.x), y))
            })
    }
}

extension SubtitleImage {
    fileprivate func bitmap(_ size: Size) -> TextBitmap {
        if size == place.size { return TextBitmap(size: size, pixels: pixels) }
        var scaled = [UInt32](repeating: 0, count: size.width * size.height)
        ARGBScale(
            pixels, Int32(place.width * 4), Int32(place.width), Int32(place.height), &scaled, Int32(size.width * 4),
            Int32(size.width), Int32(size.height), kFilterBox)
        return TextBitmap(size: size, pixels: scaled)
    }
}
