import Base

/// Decides when marks are visible. Pure; the main thread asks before each present, and sleeps until `next`.
public struct MarksVisibility: Hashable, Sendable {
    /// Time for which marks stay after the pointer moved or a command came.
    public static let stay = Time.seconds(2)
    /// Time that the focus border then takes to fade, and the number of steps.
    public static let fade = Time.milliseconds(400)
    public static let fadeSteps: Int64 = 8

    /// Time for which a comparison that was asked for on the command line begins with its names and its line.
    public static let opening = Time.seconds(5)

    private var lastStir: Time?
    /// nil unless a comparison begins with its names and its line.
    private var opensUntil: Time?
    /// Position of the pointer; nil while it is not over the window.
    public var pointer: Point?
    public private(set) var info = Switch.off
    public private(set) var help = Switch.off

    public enum Switch: Sendable { case on, off }

    /// The marks that are visible at one time.
    public struct Visibility: Hashable, Sendable {
        /// Progress, states, rate.
        public var marks: Switch
        public var info: Switch
        public var help: Switch
        /// Opacity of the focused tile's border, 0 to 1.
        public var focusBorder: Double
        /// Position of the pointer. The tile under it shows all its marks.
        public var pointer: Point?
        /// On for two seconds after the pointer moved or a command came, also while `info` keeps the marks.
        public var stirred = Switch.off
        /// On while a comparison begins: the line of a wipe is drawn without a pointer, too.
        public var opening = Switch.off
    }

    public init() {}

    /// Called when a command came, the pointer moved or a finger touched the screen.
    public mutating func commanded(at now: Time) { lastStir = max(now, lastStir ?? now) }
    /// Called when the first frames of a comparison are shown.
    public mutating func opened(at now: Time) {
        opensUntil = now + MarksVisibility.opening
        commanded(at: now + MarksVisibility.opening - MarksVisibility.stay)
    }
    public mutating func toggleInfo() { info = info == .on ? .off : .on }
    public mutating func toggleHelp() { help = help == .on ? .off : .on }

    /// Closes the help. Escape does so before it does anything else. Returns false if it was not open.
    public mutating func closeHelp() -> Bool {
        defer { help = .off }
        return help == .on
    }

    /// Returns the visible marks at `now`, and the time at which they change by themselves; nil if they do not.
    public func visibility(at now: Time) -> (marks: Visibility, next: Time?) {
        let isKept = info == .on
        var seen = Visibility(marks: info, info: info, help: help, focusBorder: isKept ? 1 : 0, pointer: pointer)
        seen.opening = opensUntil.map { now < $0 } == true ? .on : .off
        guard let lastStir else { return (seen, nil) }
        let end = lastStir + MarksVisibility.stay
        if now < end {
            (seen.marks, seen.stirred, seen.focusBorder) = (.on, .on, 1)
            return (seen, end)
        }
        let length = MarksVisibility.fade / MarksVisibility.fadeSteps
        let steps = (now - end).ticks / length.ticks + 1
        if isKept || steps >= MarksVisibility.fadeSteps { return (seen, nil) }
        seen.focusBorder = 1 - Double(steps) / Double(MarksVisibility.fadeSteps)
        return (seen, end + length * steps)
    }
}

extension Marks.Spinner {
    /// Time for which a tile waits for frames before the spinner appears.
    public static let patience = Time.milliseconds(300)
    /// Duration of one turn.
    public static let turn = Time.milliseconds(960)

    /// Returns the spinner of a tile that has waited since `start`, and the time at which it appears or turns further.
    public static func due(waitingSince start: Time, at now: Time) -> (spinner: Marks.Spinner?, next: Time) {
        let first = start + patience
        guard now >= first else { return (nil, first) }
        let length = turn / Int64(steps)
        let count = (now - first).ticks / length.ticks
        return (Marks.Spinner(step: Int(count % Int64(steps))), first + length * (count + 1))
    }
}
