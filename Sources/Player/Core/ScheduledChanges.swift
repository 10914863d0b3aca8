import Base
import Commands

/// Changes that wait for their instant, in the order in which they are made.
struct ScheduledChanges {
    private var waiting: [Scheduled] = []

    typealias Scheduled = (instant: Time, change: Change, target: Target)

    /// Most changes that wait.
    private static let most = 1000

    /// Wall time of the first change; nil if none waits.
    var next: Time? { waiting.first?.instant }

    /// Adds a change. One of the same instant as another comes after it. Returns false if too many wait.
    mutating func add(_ change: Change, for target: Target, at instant: Time) -> Bool {
        guard waiting.count < Self.most else { return false }
        let place = waiting.firstIndex { $0.instant > instant } ?? waiting.count
        waiting.insert((instant, change, target), at: place)
        return true
    }

    /// Removes and returns the changes whose instant has come.
    mutating func takeDue(at now: Time) -> [Scheduled] {
        let due = waiting.prefix { $0.instant <= now }
        waiting.removeFirst(due.count)
        return Array(due)
    }
}
