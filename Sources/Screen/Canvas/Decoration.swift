import Base
import Lyrics
import Scene

/// Everything that is drawn for a view besides its frame.
struct Decoration {
    /// Colour that fills the view's rect.
    var panel: Color?
    /// Marks that darken the frame: a stale one, and the part behind the bar.
    var shades: [Mark] = []
    /// Lyrics or subtitles.
    var lyrics: [Mark] = []
    var marks: [Mark] = []

    /// All that is drawn, from bottom to top. Words stand above the shade of the bar, so that it darkens none of them.
    var layers: [[Mark]] { [shades, lyrics, marks] }
}

/// A bitmap with its place. A bitmap that is one pixel wide is drawn across the whole rect.
struct Mark {
    var bitmap: TextBitmap
    /// Place in the window, in pixels.
    var rect: Rect
    /// Nothing is drawn outside of it.
    var clip: Rect

    init(_ bitmap: TextBitmap, at rect: Rect, clip: Rect? = nil) {
        (self.bitmap, self.rect, self.clip) = (bitmap, rect, clip ?? rect)
    }
}

/// The decorations of the views on the screen, as far as their texts are ready. Main thread only.
///
/// Retains the bitmaps that are shown, so that a label stays while its frame changes. A text that changes keeps its old
/// look until the new one is ready.
public final class Decorations {
    private let texts: TextMaker?
    private let shapes = ShapeStore()
    private var shown: [Owner: Entry] = [:]
    private var lyrics: [ViewKey: LyricsDecoration] = [:]
    /// Time after the scene's instant at which the lyrics must be redrawn; nil if they don't change by themselves.
    private(set) var lyricsChange: Time?
    /// Area of the lines over the wall, if words have their usual place.
    private var movedLines: (lines: [String], area: Rect)?
    private var generation = 0
    /// Size of the last scene.
    private var size: Size?

    private enum Owner: Hashable { case view(ViewKey), wall }
    private struct Entry {
        var parts: [PartEntry] = []
        var decoration = Decoration()
    }
    private struct PartEntry {
        var part: Part
        var rect: Rect
        var marks: [Mark]
        /// True if all texts of the part were ready.
        var isComplete: Bool
        /// True if `marks` include texts: those of the part, or those of the part that it replaces.
        var hasTexts: Bool
    }

    init(texts: TextMaker?) { self.texts = texts }

    /// Takes in a new scene. Returns the areas of unchanged parts with texts that have become ready.
    func follow(_ scene: Scene, _ keys: [ViewKey]) -> [Rect] {
        defer { size = scene.size }
        if let size, size != scene.size {
            shapes.forget()
            texts?.forget()
        }
        let now = texts?.generation ?? 0
        let isNewer = now != generation
        generation = now
        var next: [Owner: Entry] = [:]
        var ready: [Rect] = []
        lyricsChange = nil
        for (view, key) in zip(scene.views, keys) {
            let parts = view.parts
            let lyrics = followLyrics(view, key, scene, &ready)
            if parts.isEmpty, lyrics.isEmpty { continue }
            let owner = Owner.view(key)
            next[owner] = entry(parts, view.marksRect, shown[owner], isNewer, &ready)
            if case .card = view.content { next[owner]!.decoration.panel = Decorations.panel }
            next[owner]!.decoration.lyrics = lyrics
        }
        let top = infoTop(of: scene, &ready)
        if let overlay = scene.overlay, !overlay.isEmpty {
            let footTop = OverlayPlaces(in: scene.size).footArea(of: overlay).y
            let parts = overlay.parts(infoTop: top, footTop: footTop)
            next[.wall] = entry(parts, Rect(scene.size), shown[.wall], isNewer, &ready)
        }
        shown = next
        if !lyrics.isEmpty {
            let present = Set(keys)
            lyrics = lyrics.filter { present.contains($0.key) }
        }
        return ready
    }

    /// Updates and returns the lyrics over a view.
    private func followLyrics(_ view: View, _ key: ViewKey, _ scene: Scene, _ ready: inout [Rect]) -> [Mark] {
        guard let words = view.lyrics, let texts else {
            if let gone = lyrics.removeValue(forKey: key) { ready += gone.marks.map(\.clip) }
            return []
        }
        let drawn = lyrics[key] ?? LyricsDecoration(texts)
        lyrics[key] = drawn
        let foot = OverlayPlaces(in: scene.size).footArea(of: scene.overlay)
        let area = MarksPlaces(in: view.lyricsRect).words(
            words.layout.position, below: view.marks, hasLabel: view.label != nil, foot: foot)
        ready += drawn.follow(words, view.lyricsRect, area)
        if words.speed > 0 {
            let change: Time? =
                switch drawn.change {
                case .always: .zero
                case .at(let time): Time(seconds: (time - words.time).seconds / words.speed)
                case .never: nil
                }
            lyricsChange = [lyricsChange, change].compactMap { $0 }.min()
        }
        return drawn.marks
    }

    /// Returns the upper edge of the lines over the wall, at a place where they cover neither words nor figures. Adds
    /// the areas that change because of words.
    private func infoTop(of scene: Scene, _ ready: inout [Rect]) -> Int {
        let places = OverlayPlaces(in: scene.size), overlay = scene.overlay ?? Overlay()
        let usual = places.info(of: overlay)
        let words = overlay.info.isEmpty ? [] : lyrics.values.flatMap { $0.marks.map(\.clip) }
        let area = words.isEmpty ? usual : places.info(of: overlay, avoiding: scene.textAreas + words)
        if let movedLines, movedLines.lines != overlay.info || movedLines.area != area {
            ready += [movedLines.area, area]
        } else if movedLines == nil, area != usual {
            ready.append(area)
        }
        movedLines = area == usual ? nil : (overlay.info, area)
        return area.y
    }

    func decoration(of key: ViewKey) -> Decoration? { shown[.view(key)]?.decoration }

    /// Marks that are drawn over all views.
    var overlay: [Mark] { shown[.wall]?.decoration.marks ?? [] }

    private func entry(
        _ parts: [Part], _ rect: Rect, _ old: Entry?, _ isNewer: Bool, _ ready: inout [Rect]
    ) -> Entry {
        var entry = Entry()
        var isChanged = old?.parts.count != parts.count
        for part in parts {
            let before = old?.parts.first { $0.part.kind == part.kind && $0.rect == rect }
            if let before, before.part == part, before.isComplete || !isNewer {
                entry.parts.append(before)
                continue
            }
            isChanged = true
            let made = make(part, rect, before)
            entry.parts.append(made)
            if let before, before.part == part { ready += made.marks.areas(and: before.marks) }
        }
        if isChanged {
            entry.decoration.shades = entry.parts.filter(\.part.isShade).flatMap(\.marks)
            entry.decoration.marks = entry.parts.filter { !$0.part.isShade }.flatMap(\.marks)
        } else {
            (entry.decoration.shades, entry.decoration.marks) = (old!.decoration.shades, old!.decoration.marks)
        }
        return entry
    }

    private func make(_ part: Part, _ rect: Rect, _ before: PartEntry?) -> PartEntry {
        var maker = PartMaker(texts: texts, shapes: shapes, rect: rect)
        maker.make(part)
        let isStale = !maker.isComplete && before?.hasTexts == true
        return PartEntry(
            part: part, rect: rect, marks: isStale ? before!.marks : maker.marks, isComplete: maker.isComplete,
            hasTexts: maker.isComplete || isStale)
    }

    static let panel = Color(red: 0x20, green: 0x21, blue: 0x26)
}

extension [Mark] {
    /// Returns the rect that covers these and other marks; none if nothing is drawn.
    fileprivate func areas(and others: [Mark]) -> [Rect] {
        let area = (self + others).reduce(Rect(0, 0, 0, 0)) { $0.union($1.clip) }
        return area.isEmpty ? [] : [area]
    }
}
