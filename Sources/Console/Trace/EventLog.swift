import Base
import Feeds
import Glibc
import Layout
import Threads

/// Amount of output on standard error.
public enum Loudness: Sendable { case quiet, usual, verbose }

/// Logs events: the trace to its file, troubles to standard error.
///
/// Any thread may record, even with the wall locked: the call only stores. A thread of its own formats and writes the
/// lines, since a file or a pipe can block.
public final class EventLog: Sendable {
    private let mailbox = Mailbox(State(), .withoutPipe)
    private let scribe: Scribe

    private struct State {
        var entries: [Entry] = []
        var dropped = 0
        var traceEnded = false
        /// Bounds the queue: a reader that hangs costs lines, not memory.
        static let most = 100_000
    }

    fileprivate enum Entry {
        case event(Event)
        case line(TraceLine, at: Time)
        case message(String)
    }

    /// Closes `trace` at the end.
    public init(
        trace: TraceOutput?, events: EventNames, loudness: Loudness, start: Time
    ) throws(NoThread) {
        let scribe = Scribe(isTraced: trace != nil, events: events, loudness: loudness, start: start)
        self.scribe = scribe
        try mailbox.start("event log") { [mailbox] in
            // Both buffers are reused.
            var entries: [Entry] = [], lines: [UInt8] = []
            var (output, isLast) = (trace, false)
            while !isLast {
                mailbox.wait()
                isLast = mailbox.isStopping
                entries.removeAll(keepingCapacity: true)
                lines.removeAll(keepingCapacity: true)
                mailbox.take { swap(&$0.entries, &entries) }
                scribe.write(entries, &lines, to: &output)
                if trace != nil, output == nil { mailbox.locked { $0.traceEnded = true } }
            }
            output?.close()
        }
    }

    public func record(_ happened: [Event]) { add(happened.compactMap { scribe.wants($0.what) ? .event($0) : nil }) }

    public func record(_ line: TraceLine, at now: Time) { if scribe.isTraced { add([.line(line, at: now)]) } }

    public func record(message: String) { add([.message(message)]) }

    private func add(_ entries: [Entry]) {
        if entries.isEmpty { return }
        mailbox.post { state in
            if state.entries.count < State.most { state.entries += entries } else { state.dropped += entries.count }
        }
    }

    public enum Outcome { case whole, incomplete }

    /// Writes the queued entries, for at most `limit` nanoseconds. Returns `.whole` if the whole trace was written.
    @discardableResult
    public func stop(within limit: Int64 = 500_000_000) -> Outcome {
        let hasEnded = mailbox.stop(within: limit).isEmpty
        let (dropped, traceEnded) = mailbox.locked { ($0.dropped, $0.traceEnded) }
        if hasEnded, dropped > 0 {
            printLine("quadrille: \(dropped) events were dropped: the trace or standard error was not read in time")
        }
        return scribe.isTraced && (!hasEnded || dropped > 0 || traceEnded) ? .incomplete : .whole
    }
}

/// Formats recorded events as lines, on the thread "event log".
private struct Scribe {
    let isTraced: Bool
    let events: EventNames
    let loudness: Loudness
    let start: Time

    /// True if the event is ever written: a wall without a trace does not wake a thread for each frame.
    func wants(_ what: Event.What) -> Bool {
        switch what {
        case .frame: isTraced && events.contains(.picture)
        case .trouble, .stale, .frozen, .recovered, .schedule: true
        default: isTraced || loudness == .verbose
        }
    }

    /// Writes the entries. Sets `output` to nil and reports that if the trace can't be written.
    func write(_ entries: [EventLog.Entry], _ lines: inout [UInt8], to output: inout TraceOutput?) {
        for entry in entries {
            switch entry {
            case .event(let event):
                if output != nil, let record = EventRecord.of(event, in: events) {
                    let line = TraceLine(name: record.name, fields: record.traceFields(since: start))
                    line.append(to: &lines, at: event.at, since: start)
                }
                if let message = message(of: event.what) { printLine(message) }
            case .line(let line, let now):
                // Readers of a trace need to know where each run begins.
                guard output != nil, line.name == .start || events.contains(line.name) else { continue }
                line.append(to: &lines, at: now, since: start)
            case .message(let message): printLine(message)
            }
        }
        guard !lines.isEmpty, let failure = lines.withUnsafeBufferPointer({ output?.write($0) }), failure != 0 else {
            return
        }
        printLine("quadrille: the trace ends here: \(String(cString: strerror(failure)))")
        output?.close()
        output = nil
    }

    private func message(of what: Event.What) -> String? {
        switch what {
        case .trouble(let tile, let source, let item, let pts, let trouble) where loudness != .quiet:
            let place = pts.map { " at \(fixed($0.seconds, 3)) s" } ?? ""
            let who = tile.map { "\($0), \(item.words)" } ?? "the bed"
            return "quadrille: \(who): \(source)\(place): \(trouble.what) (\(trouble.kind.rawValue))"
        case .stale(let tile, let source, let time) where loudness != .quiet:
            return "quadrille: \(tile): \(source): no new frame for \(fixed(time.seconds, 0)) s"
        case .frozen(let tile, let source, let time) where loudness != .quiet:
            return "quadrille: \(tile): \(source): frozen: the same frame for \(fixed(time.seconds, 0)) s"
        case .recovered(let tile, let source, let time, .absence) where loudness != .quiet:
            return "quadrille: \(tile): \(source): it is back, after \(fixed(time.seconds, 1)) s"
        case .recovered(let tile, let source, let time, .freeze) where loudness != .quiet:
            return "quadrille: \(tile): \(source): it moves again, after \(fixed(time.seconds, 1)) s"
        case .seam(let tile, let run, _, let late, let reason?) where loudness == .verbose:
            return
                "quadrille: \(tile), item \(run.item): \(fixed(late.seconds * 1000, 1)) ms late: \(reason)"
        case .seat(let tile, let has) where loudness == .verbose:
            return "quadrille: \(tile) \(has ? "takes" : "gives up") its seat"
        case .schedule(let change) where !change.isDone && loudness != .quiet:
            return "quadrille: schedule: \(change.entry ?? "") can't be shown; the layout before it stays"
        case .schedule(let change) where loudness == .verbose:
            return "quadrille: schedule: \(change.entry ?? "the layout itself")"
        case .degrade(let tile, let step) where loudness == .verbose:
            return "quadrille: \(tile) leaves out \(step.words)"
        default:
            return nil
        }
    }
}
