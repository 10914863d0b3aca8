import Base
import Console
import Layout

/// Findings on a layout's schedule: what is shown in the next seven days, and whether it can be.
struct ScheduleOutlook {
    let schedule: Schedule
    let stretches: [Schedule.Stretch]
    /// Starts of entries that lie wholly in an hour that the clocks skip.
    let leftOut: [(entry: Int, date: CivilDate)]
    /// Each layout that the schedule names, once.
    let layouts: [(path: String, finding: Finding)]

    enum Finding {
        case right(Preflight)
        case mistakes(Mistakes)
        case unreadable(String)
    }

    private static let days = 7

    /// Reads the layouts and opens what they play. Blocks as long as that takes.
    init(_ schedule: Schedule, pipelines: Int?, _ bench: DecodeBench?) {
        self.schedule = schedule
        let now = SystemTime.now
        let instants = now..<now + Self.days * LocalTime.secondsOfDay
        stretches = schedule.stretches(in: instants, .here)
        leftOut = schedule.leftOut(in: instants, .here)
        var paths: [String] = []
        for case .layout(let path) in schedule.entries.map(\.shows) where !paths.contains(path) { paths.append(path) }
        layouts = paths.map { path in
            switch LayoutFile.read(path).result {
            case .layout(let layout): (path, .right(Preflight(layout, pipelines: pipelines, bench)))
            case .mistakes(let mistakes, _): (path, .mistakes(mistakes))
            case .unreadable(let text): (path, .unreadable(text))
            }
        }
    }

    /// Entries that apply at no time of these days, or only while an earlier entry does.
    var unseen: [Int] {
        let seen = Set(stretches.compactMap(\.entry))
        return schedule.entries.indices.filter { !seen.contains($0) }
    }

    /// Returns the exit status of `check`. `own`: the status of the layout itself.
    func status(with own: Int32) -> Int32 {
        var isWhole = true
        for (_, finding) in layouts {
            guard case .right(let preflight) = finding else { return ExitStatus.usage }
            if preflight.status != ExitStatus.done { isWhole = false }
        }
        return own == ExitStatus.done && !isWhole ? ExitStatus.seams : own
    }

    /// Lines in words, like those of CheckText.
    var text: [String] {
        let shown = stretches.map { stretch in
            "  \(LocalTime.here.text(at: stretch.instants.lowerBound)) to "
                + "\(LocalTime.here.text(at: stretch.instants.upperBound)): \(words(stretch.entry))"
        }
        let remarks =
            leftOut.map { "  \(name($0.entry)) is left out on \($0.date.text): the clocks leave out its time" }
            + unseen.map { "  \(name($0)) is not shown in these days" }
        return ["what is shown in the next seven days:"] + shown + remarks + [""] + layouts.flatMap(text)
    }

    private func text(_ path: String, _ finding: Finding) -> [String] {
        switch finding {
        case .mistakes(let mistakes):
            return ["scheduled, and wrong:"] + mistakes.lines(path: path).map { "  \($0)" } + [""]
        case .unreadable(let text): return ["scheduled, and not there:", "  \(text)", ""]
        case .right(let preflight):
            let ignored =
                preflight.layout.schedule == nil ? [] : ["  its own schedule is ignored: this layout's holds"]
            return ["scheduled: \(path)"] + ignored + CheckText.of(preflight).map { $0.isEmpty ? "" : "  \($0)" } + [""]
        }
    }

    private func name(_ entry: Int) -> String { schedule.entries[entry].name }

    private func words(_ entry: Int?) -> String {
        guard let entry else { return "the layout itself; no entry applies" }
        switch schedule.entries[entry].shows {
        case .layout(let path): return name(entry) == path ? path : "\(name(entry)) (\(path))"
        case .displayOff: return "\(name(entry)) (the display is off)"
        }
    }

    /// Value that `check --json` prints.
    var json: PropertyValue {
        let shown = stretches.map { stretch -> PropertyValue in
            let change = ScheduleChange(to: stretch.entry.map { schedule.entries[$0] })
            let span: PropertyValue = [
                "from": .text(LocalTime.here.iso(at: stretch.instants.lowerBound)),
                "to": .text(LocalTime.here.iso(at: stretch.instants.upperBound)),
            ]
            return span.adding(.object(change.fields.filter { $0.name != "ok" }))
        }
        let out = leftOut.map { entry, date -> PropertyValue in
            ["name": .text(name(entry)), "date": .text(date.text)]
        }
        return [
            "shown": .list(shown), "left-out": .list(out), "unseen": .list(unseen.map { .text(name($0)) }),
            "layouts": .list(layouts.map(json)),
        ]
    }

    private func json(_ path: String, _ finding: Finding) -> PropertyValue {
        switch finding {
        case .right(let preflight):
            let isIgnored = preflight.layout.schedule != nil
            let head: PropertyValue = ["layout": .text(path), "schedule-ignored": .flag(isIgnored)]
            return head.adding(CheckJSON.value(of: preflight))
        case .mistakes(let mistakes): return CheckJSON.value(of: mistakes, path)
        case .unreadable(let text): return ["layout": .text(path), "unreadable": .text(text)]
        }
    }
}
