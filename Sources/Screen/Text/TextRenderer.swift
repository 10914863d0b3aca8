import Base
import CAss
import CSDL2
import Glibc
import Media

/// libass with the system's fonts. Used by one thread, from init to deinit.
final class FontRenderer {
    let library: OpaquePointer
    let handle: OpaquePointer

    /// nil if there is no memory. `glyphs` and `megabytes`: limits of what libass keeps. `prepare`: completes the
    /// library, before it looks for fonts.
    init?(glyphs: Int32, megabytes: Int32, _ prepare: (OpaquePointer) -> Void = { _ in }) {
        // libass 0.17 ends the program if memory runs out later.
        guard AddressSpace.hasRoom(for: AddressSpace.text), let library = ass_library_init() else { return nil }
        qd_ass_silence(library)
        prepare(library)
        guard let handle = ass_renderer_init(library) else {
            ass_library_done(library)
            return nil
        }
        (self.library, self.handle) = (library, handle)
        ass_set_fonts(handle, nil, "sans-serif", Int32(ASS_FONTPROVIDER_FONTCONFIG.rawValue), nil, 1)
        ass_set_cache_limits(handle, glyphs, megabytes)
    }

    deinit {
        ass_renderer_done(handle)
        ass_library_done(library)
    }
}

/// Draws texts. Each call may take as long as fontconfig does. Used by one thread.
final class TextRenderer {
    private let fonts: FontRenderer
    var measured = MeasuredLetters()

    /// nil if there is no memory.
    init?() {
        // `TextMaker` keeps the drawings. libass would cache 200 MB of their parts besides.
        guard let fonts = FontRenderer(glyphs: 1000, megabytes: 4) else { return nil }
        self.fonts = fonts
        ass_set_hinting(fonts.handle, ASS_HINTING_LIGHT)
    }

    /// Draws the text on one line: in the order's height if it fits, else smaller, else with an ellipsis.
    func draw(_ order: TextOrder) -> TextBitmap {
        let padding = order.style == .label ? Size(max(3, order.height * 2 / 5), max(1, order.height / 8)) : Size(0, 0)
        let room = max(1, order.maxWidth - 2 * padding.width)
        let text = order.text.truncatedToCharacters(400)
        var height = order.height
        var line = draw(text, height, room, order.style)
        while line == nil, height * 8 > order.height * 6, height > 10 {
            height = max(10, height * 9 / 10)
            line = draw(text, height, room, order.style)
        }
        let drawn = line ?? drawCut(text, height, room, order.style)
        return order.style == .label ? drawn.onPill(padding, lineHeight: height) : drawn.bitmap
    }

    /// Draws as much of the text as fits before an ellipsis.
    private func drawCut(_ text: String, _ height: Int, _ room: Int, _ style: TextStyle) -> ImageBlend {
        let characters = Array(text)
        var best = ImageBlend(Size(1, height), from: Point(0, 0))
        var fits = 0, tooMuch = characters.count
        while fits < tooMuch {
            let middle = (fits + tooMuch) / 2
            if let line = draw(String(characters[..<middle]) + "\u{2026}", height, room, style) {
                best = line
                fits = middle + 1
            } else {
                tooMuch = middle
            }
        }
        return best
    }

    /// nil if the text is wider than `room`.
    private func draw(_ text: String, _ height: Int, _ room: Int, _ style: TextStyle) -> ImageBlend? {
        // The frame is somewhat larger than the room, to show whether the text leaves the room.
        let margin = height, area = Size(room + 2 * margin, 2 * height)
        measured.add(text, height: height, isBold: style == .title)
        let images = images(of: literal(text), in: area, height: height) { entry in
            // libass keeps colours as RRGGBBTT, T for transparency.
            entry.PrimaryColour = style == .detail ? 0xB4B4_BC00 : 0xFFFF_FF00
            entry.Bold = style == .title ? 1 : 0
            entry.Alignment = Int32(VALIGN_TOP | HALIGN_LEFT)
            entry.MarginL = Int32(margin)
        }
        let ink = images.compactMap(\.ink)
        guard let left = ink.map(\.x).min(), let right = ink.map(\.maxX).max() else {
            return ImageBlend(Size(1, height), from: Point(0, 0))
        }
        if right - left > room || right >= area.width { return nil }
        var line = ImageBlend(Size(right - left, max(height, ink.map(\.maxY).max() ?? 0)), from: Point(left, 0))
        for image in images { line.add(image) }
        return line
    }

    /// Draws a text with libass's tags. Returns its images, which hold until the next call; none without memory.
    /// `change` completes our style, which comes after the track's default one with an outline and a shadow.
    func images(of text: String, in area: Size, height: Int, _ change: (inout ASS_Style) -> Void) -> [ASS_Image] {
        ass_set_frame_size(fonts.handle, Int32(area.width), Int32(area.height))
        ass_set_storage_size(fonts.handle, Int32(area.width), Int32(area.height))
        guard let track = ass_new_track(fonts.library) else { return [] }
        defer { ass_free_track(track) }
        track.pointee.track_type = .init(1)
        (track.pointee.PlayResX, track.pointee.PlayResY) = (Int32(area.width), Int32(area.height))
        (track.pointee.WrapStyle, track.pointee.ScaledBorderAndShadow) = (2, 1)
        let index = ass_alloc_style(track)
        let style = track.pointee.styles + Int(index)
        (style.pointee.Name, style.pointee.FontName) = (strdup("text"), strdup("sans-serif"))
        style.pointee.FontSize = Double(height)
        (style.pointee.ScaleX, style.pointee.ScaleY) = (1, 1)
        (style.pointee.BorderStyle, style.pointee.Encoding) = (1, -1)
        change(&style.pointee)
        let number = Int(ass_alloc_event(track))
        // The call before may have moved the events.
        let event = track.pointee.events + number
        (event.pointee.Start, event.pointee.Duration, event.pointee.Style) = (0, 1000, index)
        event.pointee.Text = strdup(text)
        return ASS_Image.list(ass_render_frame(fonts.handle, track, 0, nil))
    }
}

/// Escapes tags, escapes and line breaks, so that libass draws the text literally on one line.
func literal(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        // A backslash is literal if no letter follows it, so a word joiner of no width is inserted after it.
        case "\\": result += "\\\u{2060}"
        case "{": result += "\\{"
        case "}": result += "\\}"
        case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": result += " "
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

extension String {
    fileprivate func truncatedToCharacters(_ count: Int) -> String {
        index(startIndex, offsetBy: count, limitedBy: endIndex).map { String(self[..<$0]) + "\u{2026}" } ?? self
    }
}

extension ImageBlend {
    /// Returns the line on a dark pill with round ends. The pill is larger by `padding` on each side than a line
    /// without deep descenders.
    fileprivate func onPill(_ padding: Size, lineHeight: Int) -> TextBitmap {
        let whole = Size(size.width + 2 * padding.width, lineHeight + 2 * padding.height)
        var result = Shape.pill(.label).bitmap(whole).pixels
        for y in 0..<min(size.height, whole.height - padding.height) {
            for x in 0..<size.width {
                let at = (y + padding.height) * whole.width + x + padding.width
                result[at] = over(pixels[y * size.width + x], result[at])
            }
        }
        return TextBitmap(size: whole, pixels: result)
    }
}

/// The letters that a renderer of libass has drawn, in each of their sizes.
///
/// libass 0.17 keeps the metrics of each letter as long as the renderer lives, and no cache limit of libass counts
/// them. A window that is often resized draws the same letters in hundreds of sizes.
struct MeasuredLetters {
    private var letters: Set<Letter> = []

    /// Largest number of letters, of some 200 bytes each. Words in a script of more letters replace the renderer often.
    private static let most = 2000

    private struct Letter: Hashable {
        let scalar: Unicode.Scalar
        let height: Int
        let isBold: Bool
    }

    var areTooMany: Bool { letters.count > Self.most }

    mutating func add(_ text: String, height: Int, isBold: Bool) {
        for scalar in text.unicodeScalars { letters.insert(Letter(scalar: scalar, height: height, isBold: isBold)) }
    }
}

extension LinkedLibrary {
    /// The libraries of Screen that state their versions.
    public static var ofScreen: [LinkedLibrary] {
        var sdl = SDL_version()
        SDL_GetVersion(&sdl)
        // Two decimal digits a byte, as in 0x01703000 for 0.17.3.
        let ass = UInt32(bitPattern: ass_library_version())
        let assParts = [UInt32(28), 20, 12].map { decimal(ass >> $0 & 0xFF) }
        let fontconfig = UInt32(bitPattern: FcGetVersion())
        return [
            LinkedLibrary("SDL", [UInt32(sdl.major), UInt32(sdl.minor), UInt32(sdl.patch)]),
            LinkedLibrary("libass", assParts),
            LinkedLibrary("fontconfig", [fontconfig / 10_000, fontconfig / 100 % 100, fontconfig % 100]),
        ]
    }

    private static func decimal(_ digits: UInt32) -> UInt32 { digits / 16 * 10 + digits % 16 }
}
