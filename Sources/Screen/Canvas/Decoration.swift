import Media
import WallCore

/// What is drawn of a view besides its picture: the card's panel and its texts, or the label.
struct Decoration {
    /// Fills the view's frame.
    var panel: Color?
    var marks: [Mark] = []

    struct Mark {
        var bitmap: TextBitmap
        /// In pixels of the window.
        var rect: Rect
    }
}

/// The decorations of the views on the screen, as far as their texts are ready. Main thread only.
///
/// It keeps the bitmaps of what is shown itself, so that a label never goes while its picture changes.
final class Decorations {
    private let texts: TextMaker?
    private var shown: [ViewKey: Entry] = [:]
    private var generation = 0

    fileprivate struct Entry {
        var wish: Wish
        var decoration: Decoration
        var isComplete: Bool
    }
    fileprivate struct Wish: Hashable {
        var frame: Rect
        var card: [String]?
        var label: String?
    }

    init(texts: TextMaker?) { self.texts = texts }

    /// Takes in a new scene. Returns where texts have become ready for what was there already.
    func follow(_ scene: Scene<Picture>, _ keys: [ViewKey]) -> [Rect] {
        let now = texts?.generation ?? 0
        let isNewer = now != generation
        generation = now
        var next: [ViewKey: Entry] = [:]
        var ready: [Rect] = []
        for (view, key) in zip(scene.views, keys) {
            guard let wish = Wish(view) else { continue }
            if let old = shown[key], old.wish == wish {
                if old.isComplete || !isNewer {
                    next[key] = old
                    continue
                }
                ready.append(wish.frame)
            }
            next[key] = make(wish)
        }
        shown = next
        return ready
    }

    func decoration(of key: ViewKey) -> Decoration? { shown[key]?.decoration }

    private func make(_ wish: Wish) -> Entry {
        var decoration = Decoration()
        var isComplete = true
        let frame = wish.frame

        func text(_ text: String, _ height: Int, _ style: TextStyle, at place: (Size) -> Point) {
            if text.isEmpty { return }
            guard let bitmap = texts?.bitmap(text, height: height, maxWidth: frame.width * 23 / 25, style: style)
            else {
                isComplete = texts == nil
                return
            }
            let corner = place(bitmap.size)
            let rect = Rect(corner.x, corner.y, bitmap.size.width, bitmap.size.height)
            decoration.marks.append(.init(bitmap: bitmap, rect: rect))
        }
        func centred(_ size: Size, _ y: Int) -> Point { Point(frame.x + (frame.width - size.width) / 2, y) }

        if let card = wish.card {
            decoration.panel = Decorations.panel
            let name = TextHeight.title(in: frame.size), detail = TextHeight.detail(in: frame.size)
            let gap = name / 4
            let block = card[1].isEmpty ? name : name + gap + detail
            let top = frame.y + (frame.height - block) / 2
            text(card[0], name, .title) { centred($0, top) }
            text(card[1], detail, .detail) { centred($0, top + name + gap) }
        }
        if let label = wish.label {
            let height = TextHeight.label(in: frame.size), margin = max(2, height / 3)
            text(label, height, .label) { Point(frame.x + margin, frame.maxY - margin - $0.height) }
        }
        return Entry(wish: wish, decoration: decoration, isComplete: isComplete)
    }

    static let panel = Color(red: 0x20, green: 0x21, blue: 0x26)
}

/// Line heights that can be read on small tiles and don't shout on large ones.
private enum TextHeight {
    static func title(in tile: Size) -> Int { max(14, min(tile.height / 9, tile.width / 14, 160)) }
    static func detail(in tile: Size) -> Int { max(11, min(tile.height / 15, tile.width / 24, 100)) }
    static func label(in tile: Size) -> Int { max(12, min(tile.height / 16, tile.width / 24, 72)) }
}

extension Decorations.Wish {
    /// nil: a picture alone.
    fileprivate init?(_ view: View<Picture>) {
        switch view.content {
        case .card(let name, let detail): card = [name, detail]
        case .picture: card = nil
        }
        (frame, label) = (view.frame, view.label)
        if card == nil && label == nil { return nil }
    }
}
