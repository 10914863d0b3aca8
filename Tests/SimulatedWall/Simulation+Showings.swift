@testable import Feeds

extension Simulation {
    /// The showings as the log writes them: a line for each showing, and one for each hour of a still's.
    var showings: [String] {
        events.compactMap { event -> String? in
            let (item, end): (ItemRecord, String)
            switch event.what {
            case .itemEnd(let ended, _, let reason) where !ended.goesOn && !ended.isInterrupted:
                (item, end) = (ended.wholeShowing, reason.rawValue)
            case .left(let left, _): (item, end) = (left.wholeShowing, "left")
            case .stands(let standing, _): (item, end) = (standing, "hour")
            default: return nil
            }
            let seconds = Int(item.shown(until: event.at).seconds.rounded())
            return "\(item.source) \(item.beginning.rawValue) \(item.presented)/\(item.frames) \(seconds) \(end)"
        }
    }
}
