import Media
import WallCore

/// What is drawn of a view besides its frame.
struct Decoration {
    /// Fills the view's frame.
    var panel: Color?
    /// Words that are sung or said, below the marks.
    var lyrics: [Mark] = []
    var marks: [Mark] = []
}

/// A bitmap in its place. One that is a single pixel wide is drawn across the whole rectangle.
struct Mark {
    var bitmap: TextBitmap
    /// In pixels of the window.
    var rect: Rect
    /// Nothing of it is drawn outside.
    var clip: Rect

    init(_ bitmap: TextBitmap, at rect: Rect, clip: Rect? = nil) {
        (self.bitmap, self.rect, self.clip) = (bitmap, rect, clip ?? rect)
    }
}

/// The decorations of the views on the screen, as far as their texts are ready. Main thread only.
///
/// It keeps the bitmaps of what is shown itself, so that a label never goes while its frame changes; and a text
/// that changes stays as it was until the new one is ready.
final class Decorations {
    private let texts: TextMaker?
    private let shapes = ShapeStore()
    private var shown: [Owner: Entry] = [:]
    private var lyrics: [ViewKey: LyricsDecoration] = [:]
    /// So soon after the scene's instant words are to be drawn anew; nil: not by themselves.
    private(set) var lyricsChange: Time?
    private var generation = 0
    /// Of the scene.
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
        /// Texts are on their way.
        var isComplete: Bool
        /// Of an earlier wish, if not of this one.
        var hasTexts: Bool
    }

    init(texts: TextMaker?) { self.texts = texts }

    /// Takes in a new scene. Returns where texts have become ready for what was there already.
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
            let lyrics = followLyrics(view, key, &ready)
            if parts.isEmpty, lyrics.isEmpty { continue }
            let owner = Owner.view(key)
            next[owner] = entry(parts, view.marksRect, shown[owner], isNewer, &ready)
            if case .card = view.content, !view.content.isBlank {
                next[owner]!.decoration.panel = Decorations.panel
            }
            next[owner]!.decoration.lyrics = lyrics
        }
        if let overlay = scene.overlay, !overlay.isEmpty {
            next[.wall] = entry(overlay.parts(in: scene.size), Rect(scene.size), shown[.wall], isNewer, &ready)
        }
        shown = next
        if !lyrics.isEmpty {
            let present = Set(keys)
            lyrics = lyrics.filter { present.contains($0.key) }
        }
        return ready
    }

    /// The words over a view.
    private func followLyrics(_ view: View, _ key: ViewKey, _ ready: inout [Rect]) -> [Mark] {
        guard let words = view.lyrics, let texts else {
            if let gone = lyrics.removeValue(forKey: key) { ready += gone.marks.map(\.clip) }
            return []
        }
        let drawn = lyrics[key] ?? LyricsDecoration(texts)
        lyrics[key] = drawn
        ready += drawn.follow(words, view.marksRect.intersection(view.rect))
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

    func decoration(of key: ViewKey) -> Decoration? { shown[.view(key)]?.decoration }

    /// What is drawn over all views.
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
        entry.decoration.marks = isChanged ? entry.parts.flatMap(\.marks) : old!.decoration.marks
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
    /// The rectangle that these and others cover; none where nothing is drawn.
    fileprivate func areas(and others: [Mark]) -> [Rect] {
        let area = (self + others).reduce(Rect(0, 0, 0, 0)) { $0.union($1.clip) }
        return area.isEmpty ? [] : [area]
    }
}
