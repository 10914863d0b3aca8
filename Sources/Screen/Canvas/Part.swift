import Base
import Heard
import Scene

/// An element drawn over a view or over the wall. Its marks are made again when the part changes.
enum Part: Hashable {
    case card(name: String, detail: String, top: Int)
    /// `bottom`: lower end of the room for the label.
    case label(String, bottom: Int)
    case announcement(Marks.Announcement, Rect)
    case nextUp(String, Rect)
    case level(InputLevel, Rect)
    /// Darkens the frame in this area.
    case dim(Rect)
    /// Darkens the frame behind the bar and its times.
    case shade(Rect)
    /// `ends`: ends of an A-B loop. All are in pixels.
    case bar(fill: Int, ends: [Int])
    case times(String, item: String?)
    case states([Marks.StateMark], pace: String?)
    case notes([Marks.Reason])
    case time(String, top: Int)
    case figures([String], text: Int, top: Int, limit: Int)
    case sides([Marks.Side], bottom: Int)
    case wipe(WipeLines)
    case info([String], top: Int)
    case plot(FigurePlot)
    case spinner(Marks.Spinner)
    /// The argument is the opacity.
    case focusBorder(Double)
    case idle(IdleCard)
    case help([KeyLine])
    case wallInfo([String], top: Int)
    case foot(String, top: Int)

    enum Kind: Hashable {
        case card, label, announcement, nextUp, level, dim, shade, bar, times, states, notes, time, figures, sides,
            wipe, info,
            plot, spinner, focusBorder, idle, help, wallInfo, foot
    }

    /// True for a part that darkens the frame, and is drawn below the words.
    var isShade: Bool { kind == .dim || kind == .shade }

    var kind: Kind {
        switch self {
        case .card: .card
        case .label: .label
        case .announcement: .announcement
        case .nextUp: .nextUp
        case .level: .level
        case .dim: .dim
        case .shade: .shade
        case .bar: .bar
        case .times: .times
        case .states: .states
        case .notes: .notes
        case .time: .time
        case .figures: .figures
        case .sides: .sides
        case .wipe: .wipe
        case .info: .info
        case .plot: .plot
        case .spinner: .spinner
        case .focusBorder: .focusBorder
        case .idle: .idle
        case .help: .help
        case .wallInfo: .wallInfo
        case .foot: .foot
        }
    }
}

extension View {
    /// Parts from bottom to top; empty for a frame alone.
    var parts: [Part] {
        var parts: [Part] = []
        let rect = marksRect
        if rect.isEmpty { return parts }
        if case .card(let card) = content {
            let area = MarksPlaces(in: rect).card(card, lyrics?.layout.position)
            parts.append(.card(name: card.name, detail: card.detail, top: area.y))
        }
        if label == nil && marks == nil { return parts }
        let places = MarksPlaces(in: rect)
        if let marks, marks.isDimmed, let area = content.target {
            parts.append(.dim(window.map(area.intersection) ?? area))
        }
        // A card in place of the frame has the names already.
        if let card = marks?.announcement, content.hasFrame, places.hasTexts {
            parts.append(.announcement(card, places.announcement(card, lyrics?.layout.position)))
        }
        if let progress = marks?.progress {
            parts.append(.shade(places.strip))
            if let fraction = progress.fraction {
                parts.append(.bar(fill: places.fill(fraction), ends: progress.ends.map(places.fill)))
            }
        }
        if let wipe = marks?.wipe { parts.append(.wipe(wipe)) }
        let bottom = places.labelBottom(above: marks), sides = places.hasTexts ? marks?.sides ?? [] : []
        if !sides.isEmpty { parts.append(.sides(sides, bottom: bottom)) }
        if let label { parts.append(.label(label, bottom: places.labelBottom(above: marks, beside: sides))) }
        guard let marks else { return parts }
        let pace = places.hasTexts ? marks.pace : nil
        if let progress = marks.progress, places.hasTexts { parts.append(.times(progress.time, item: progress.item)) }
        if let next = marks.nextUp, places.hasTexts { parts.append(.nextUp(next, places.nextUp(of: marks))) }
        if let level = marks.level, places.hasTexts { parts.append(.level(level, places.meter(of: marks))) }
        if !marks.states.isEmpty || pace != nil { parts.append(.states(marks.states, pace: pace)) }
        if places.hasTexts, !marks.reasons.isEmpty { parts.append(.notes(marks.reasons)) }
        if places.hasTexts, let time = marks.time { parts.append(.time(time, top: places.timeTop(of: marks))) }
        if places.hasTexts, !marks.figures.isEmpty {
            parts.append(
                .figures(
                    marks.figures, text: places.figuresText(of: marks), top: places.figuresTop(of: marks),
                    limit: marks.figuresWidth > 0 ? marks.figuresWidth : rect.width))
        }
        if places.hasTexts, !marks.info.isEmpty { parts.append(.info(marks.info, top: places.infoTop(of: marks))) }
        if places.hasTexts, let plot = marks.plot { parts.append(.plot(plot)) }
        if let spinner = marks.spinner { parts.append(.spinner(spinner)) }
        if marks.focusBorder > 0 { parts.append(.focusBorder(marks.focusBorder)) }
        return parts
    }
}

extension Overlay {
    /// `top`: upper edge of the info. `footTop`: that of the foot.
    func parts(infoTop top: Int, footTop: Int) -> [Part] {
        (idle.map { [.idle($0)] } ?? []) + (help.isEmpty ? [] : [.help(help)])
            + (info.isEmpty ? [] : [.wallInfo(info, top: top)])
            + (foot.map { [.foot($0, top: footTop)] } ?? [])
    }
}
