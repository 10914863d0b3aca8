import Base
import Scene

/// An element drawn over a view or over the wall, in the order from bottom to top.
enum Part: CaseIterable {
    case card, dim, announcement, shade, bar, wipe, sides, label, times, nextUp, level, states, notes, time, figures,
        info, plot, spinner, focusBorder
    // Over the wall.
    case idle, help, wallInfo, foot

    /// True for a part that darkens the frame, and is drawn below the words.
    var isShade: Bool { self == .dim || self == .shade }
}

/// All on which the parts over a view, or over the wall, depend besides their texts.
struct Decorated: Equatable {
    let places: MarksPlaces
    private(set) var card: Card?
    private(set) var label: String?
    private(set) var marks = Marks()
    /// The marks that are texts. A small tile has no room for texts but its label.
    private(set) var texts = Marks()
    /// Area of the frame in the window; nil if there is no frame.
    private(set) var frame: Rect?
    /// Position of lyrics; nil if there are none.
    private(set) var words: LyricsLayout.Position?
    private(set) var overlay = Overlay()
    /// Upper edge of the overlay's info.
    private(set) var infoTop = 0
    private(set) var footTop = 0

    init(_ view: View) {
        places = MarksPlaces(in: view.marksRect)
        if places.rect.isEmpty { return }
        if case .card(let shown) = view.content { card = shown }
        (label, marks, words) = (view.label, view.marks, view.lyrics?.layout.position)
        if places.hasTexts { texts = marks }
        frame = view.content.target.map { view.window.map($0.intersection) ?? $0 }
    }

    init(_ overlay: Overlay, in window: Size, infoTop: Int, footTop: Int) {
        places = MarksPlaces(in: Rect(window))
        (self.overlay, self.infoTop, self.footTop) = (overlay, infoTop, footTop)
    }
}

extension PartMaker {
    /// Makes the marks of a part in place of those before; none if it is not there.
    mutating func draw(_ part: Part, of shown: Decorated) {
        begin()
        switch part {
        case .card:
            guard let card = shown.card else { return }
            self.card(card, top: places.card(card, shown.words).y)
        case .dim: if shown.marks.isDimmed, let frame = shown.frame { add(.solid(.dim), at: frame) }
        case .announcement:
            // A card in place of the frame has the names already.
            guard let card = shown.texts.performance.announcement, shown.frame != nil else { return }
            let area = places.announcement(card, shown.words)
            self.card(card, top: area.y, panelHeight: area.height)
        case .shade: if shown.marks.progress != nil { add(.fade, at: places.strip) }
        case .bar:
            guard let progress = shown.marks.progress, let fraction = progress.fraction else { return }
            bar(places.fill(fraction), progress.ends.map(places.fill))
        case .wipe: if let lines = shown.marks.comparison.wipe { wipe(lines) }
        case .sides: sides(shown.texts.comparison.sides, places.labelBottom(above: shown.marks))
        case .label:
            guard let text = shown.label else { return }
            label(text, places.labelBottom(above: shown.marks, beside: shown.texts.comparison.sides))
        case .times: if let progress = shown.texts.progress { times(progress.time, progress.item) }
        case .nextUp: if let next = shown.texts.performance.nextUp { nextUp(next, places.nextUp(of: shown.marks)) }
        case .level: if let level = shown.texts.performance.level { self.level(level, places.meter(of: shown.marks)) }
        case .states: states(shown.marks.states, shown.texts.pace.text)
        case .notes: notes(shown.texts.reasons)
        case .time: if let time = shown.texts.time { self.time(time, places.timeTop(of: shown.marks)) }
        case .figures:
            figures(shown.texts.figures, places.figuresText(of: shown.marks), places.figuresTop(of: shown.marks))
        case .info: info(shown.texts.info, places.infoTop(of: shown.marks))
        case .plot: if let plot = shown.texts.figures.plot { add(plot, at: places.plot) }
        case .spinner:
            guard let spinner = shown.marks.spinner else { return }
            add(.spinner(turn: spinner.step), at: places.spinner(spinner))
        case .focusBorder: if shown.marks.focusBorder > 0 { focusBorder(shown.marks.focusBorder) }
        case .idle: if let card = shown.overlay.idle { idle(card) }
        case .help: if !shown.overlay.help.isEmpty { help(shown.overlay.help) }
        case .wallInfo: wallInfo(shown.overlay.info, shown.infoTop)
        case .foot: if let line = shown.overlay.foot { foot(line, shown.footTop) }
        }
    }
}
