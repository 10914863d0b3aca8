import Base
import Scene

/// Marks that are drawn over a view besides its words, or over the wall, as far as their texts are ready.
///
/// Retains the bitmaps that are shown, so that a label stays while its frame changes. A text that changes keeps its old
/// look until the new one is ready.
struct Decoration {
    /// Marks that darken the frame: a stale one, and the part behind the bar.
    private(set) var shades: [Mark] = []
    private(set) var marks: [Mark] = []
    private var shown: Decorated?
    /// The drawn parts, in their order.
    private var drawn = Part.allCases.map { _ in DrawnPart() }
    private var bitmaps = PartMaker.Bitmaps()

    private struct DrawnPart {
        var marks: [Mark] = []
        /// True if all texts of the part were ready.
        var isComplete = true
        /// True if `marks` include texts: those of the part, or those from before it changed.
        var hasTexts = false
    }

    /// Makes the marks again if they may look different. `mayComplete`: true if texts may have become ready since the
    /// last call. Returns the areas that look different.
    mutating func follow(
        _ shown: Decorated, _ texts: TextMaker?, _ shapes: ShapeStore, mayComplete: Bool
    ) -> [Rect] {
        if shown == self.shown, !mayComplete || drawn.allSatisfy(\.isComplete) { return [] }
        let hasMoved = shown.places != self.shown?.places
        self.shown = shown
        var areas: [Rect] = []
        var maker = PartMaker(texts: texts, known: bitmaps, shapes: shapes, places: shown.places)
        for (place, part) in Part.allCases.enumerated() {
            maker.draw(part, of: shown)
            let old = drawn[place], isStale = !maker.isComplete && old.hasTexts && !hasMoved
            let new = DrawnPart(
                marks: isStale ? old.marks : maker.marks, isComplete: maker.isComplete,
                hasTexts: isStale || maker.isComplete && !maker.marks.isEmpty)
            drawn[place] = new
            let differing = new.marks.differences(from: old.marks)
            // All of a border is far more than its edges.
            if part == .focusBorder {
                areas += differing
            } else if !differing.isEmpty {
                areas.append(differing.reduce(Rect(0, 0, 0, 0)) { $0.union($1) })
            }
        }
        bitmaps = maker.used
        func marks(_ isPart: (Part) -> Bool) -> [Mark] {
            zip(Part.allCases, drawn).flatMap { isPart($0) ? $1.marks : [] }
        }
        (shades, self.marks) = (marks(\.isShade), marks { !$0.isShade })
        return areas
    }
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

extension [Mark] {
    /// Returns the areas where these marks look different from others. Marks that lie over each other must be in the same
    /// order and number in both lists, or differ: equal ones are not compared by their order.
    func differences(from others: [Mark]) -> [Rect] {
        func isSame(_ a: Mark, _ b: Mark) -> Bool { a.bitmap === b.bitmap && a.rect == b.rect }
        func rest(of marks: [Mark], without others: [Mark]) -> [Rect] {
            marks.flatMap { mark in
                others.lazy.filter { isSame(mark, $0) }.reduce([mark.clip]) { left, other in
                    left.flatMap { $0.subtracting(other.clip) }
                }
            }
        }
        return rest(of: self, without: others) + rest(of: others, without: self)
    }
}
