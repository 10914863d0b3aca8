import Base
import CAss
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
    let bands: [(bitmap: TextBitmap, origin: Point)]

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
                return (image.bitmap(Size(width, height)), Point(scaled(image.place.x), y))
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

/// Renderers of the scripts that were drawn last. Used by one thread.
final class SubtitleRenderers {
    private var renderers: [SubtitleRenderer] = []
    /// Largest number of renderers. Few are used at a time, and each has fonts of its own.
    private static let most = 9
    /// Number of frames after which a renderer is replaced. libass keeps the metrics of letters, and a script with
    /// growing letters has new ones in each frame: see `MeasuredLetters`.
    private static let mostFrames = 500

    func draw(_ order: SubtitleOrder) -> SubtitleFrame {
        if order.script.isOfImages { return SubtitleFrame(images: order.script.images(at: order.time), in: order.size) }
        guard let renderer = take(order.script, order.layout) else { return .empty }
        if renderers.count == Self.most { renderers.removeFirst() }
        renderers.append(renderer)
        return renderer.draw(at: order.time, order.size, over: order.film)
    }

    /// nil if there is no memory.
    private func take(_ script: SubtitleScript, _ layout: LyricsLayout) -> SubtitleRenderer? {
        if let place = renderers.firstIndex(where: { $0.script == script && $0.layout == layout }) {
            let renderer = renderers.remove(at: place)
            if renderer.frames < Self.mostFrames { return renderer }
        }
        return SubtitleRenderer(script, layout)
    }
}

/// libass with one script and the fonts that come with it. Used by one thread.
///
/// Scripts are drawn ahead of time, in bands of rows. A renderer of libass keeps its measurements of letters as long as
/// it lives. It is therefore replaced after 2000 letters, counted in each of their sizes, or after 500 frames of a
/// script.
final class SubtitleRenderer {
    let script: SubtitleScript
    let layout: LyricsLayout
    /// Number of frames that it has drawn.
    private(set) var frames = 0
    private let fonts: FontRenderer
    private let track: UnsafeMutablePointer<ASS_Track>
    /// Number of the script's events that libass has.
    private var taken = 0

    /// nil if there is no memory.
    init?(_ script: SubtitleScript, _ layout: LyricsLayout) {
        let fonts = FontRenderer(glyphs: 2000, megabytes: 8) { library in
            // Includes the fonts in the script's header.
            ass_set_extract_fonts(library, 1)
            for font in script.fonts {
                ass_add_font(library, font.name, font.bytes, Int32(font.bytes.count))
            }
        }
        guard let fonts, let track = ass_new_track(fonts.library) else { return nil }
        (self.script, self.layout, self.fonts, self.track) = (script, layout, fonts, track)
        ass_set_pixel_aspect(fonts.handle, 1)
        var head = script.head ?? layout.head
        ass_process_codec_private(track, &head, Int32(head.count))
    }

    deinit { ass_free_track(track) }

    func draw(at time: Time, _ size: Size, over film: Size) -> SubtitleFrame {
        frames += 1
        take()
        // If the events at one instant are too much work, none is drawn: libass has no limit of its own.
        guard script.moment(at: time).since != nil else { return .empty }
        ass_set_frame_size(fonts.handle, Int32(size.width), Int32(size.height))
        ass_set_storage_size(fonts.handle, Int32(film.width), Int32(film.height))
        // Rounded to the nearest millisecond: the start of a subtitle must not fall before it.
        let images = ASS_Image.list(ass_render_frame(fonts.handle, track, time.milliseconds, nil)).filter {
            !$0.place.isEmpty && Rect(size).contains($0.place)
        }
        let apart = max(1, size.height / Self.mostBands)
        return SubtitleFrame(
            bands: Self.bands(of: images.map(\.place), apart: apart).map { band in
                let origin = Point(band.x, band.y)
                var blend = ImageBlend(band.size, from: origin)
                for image in images where band.contains(image.place) { blend.add(image) }
                return (blend.bitmap, origin)
            })
    }

    /// Largest number of bands. Text at the top and at the bottom of a large frame does not need a bitmap of all of it.
    private static let mostBands = 16

    /// Returns the smallest rects, from top to bottom, that hold `places` and are at least `apart` rows apart.
    static func bands(of places: [Rect], apart: Int) -> [Rect] {
        var bands: [Rect] = []
        for place in places.sorted(by: { $0.y < $1.y }) {
            if let last = bands.last, place.y - last.maxY < apart {
                bands[bands.count - 1] = last.union(place)
            } else {
                bands.append(place)
            }
        }
        return bands
    }

    /// Passes newly read events to libass.
    private func take() {
        for event in script.events(from: taken) {
            var text = event.text
            let begin = event.begin.milliseconds
            ass_process_chunk(track, &text, Int32(text.count), begin, event.end.milliseconds - begin)
            taken += 1
        }
    }
}

extension ASS_Image {
    /// Rect in the frame.
    fileprivate var place: Rect { Rect(Int(dst_x), Int(dst_y), Int(w), Int(h)) }
}

extension Time {
    /// Rounded to the nearest, also before 0.
    fileprivate var milliseconds: Int64 {
        let unit = Time.ticksPerSecond / 1000, sum = ticks.plus(unit / 2)
        return sum / unit - (sum % unit < 0 ? 1 : 0)
    }
}

extension LyricsLayout {
    /// Header for subtitles without styles: as high as a line of lyrics. Sizes and places in such subtitles are for a
    /// script of 384x288, into which libavcodec converts every format.
    fileprivate var head: [UInt8] {
        let place =
            switch position {
            case .top: 8
            case .middle: 5
            case .bottom: 2
            }
        let height = Double(size) * 2.88
        let colour = String(
            UInt32(color.blue) << 16 | UInt32(color.green) << 8 | UInt32(color.red), radix: 16, uppercase: true)
        return Array(
            """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: 384
            PlayResY: 288
            WrapStyle: 0
            ScaledBorderAndShadow: yes

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
            Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, \
            MarginR, MarginV, Encoding
            Style: Default,sans-serif,\(fixed(height, 2)),&H\(colour),&H\(colour),&H0,&H0,-1,0,0,0,100,100,0,0,1,\
            \(fixed(max(0.3, height * 0.07), 2)),0,\(place),15,15,17,-1

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

            """.utf8)
    }
}
