import Base
import Console
import Feeds
import Files
import Layout
import Threads

/// Logs what was played: a line for each item that ended, with the frames that were presented.
///
/// Any thread may record, also with the wall locked, since `record` only stores. A thread of its own writes the lines
/// at once, and syncs them to the disk within five seconds.
///
/// `FeedShowing` counts the presented frames of the item on screen and keeps the reason for which the item began. While
/// another tile fills the wall, `FeedShowing` counts nothing (`noteDrawn`), unless a tile of its feed is visible. The
/// event `item-end` carries the counts.
public final class PlayLog: Sendable {
    private let mailbox = Mailbox(State(), .withoutPipe)

    private struct State {
        var events: [Event] = []
        var isIncomplete = false
        /// Largest number of stored events: a disk that hangs costs lines, not memory.
        static let most = 100_000
    }

    /// Time between writing and syncing, in nanoseconds. A power cut loses no more.
    private static let syncInterval: Int64 = 4_000_000_000

    /// `folder`: the folder of the log.
    public init(_ folder: PlayLogFolder) throws(NoThread) {
        try mailbox.start("log") { [mailbox] in
            var (folder, files) = (folder, ItemFiles())
            var (syncs, isLast) = (Int64.max, false)
            while !isLast {
                mailbox.wait(until: syncs)
                isLast = mailbox.isStopping
                let events = mailbox.take { exchange(&$0.events, with: []) } ?? []
                let lines = events.compactMap { files.line($0) }
                folder.write(lines)
                if monotonicNanoseconds() >= syncs {
                    folder.sync()
                    syncs = .max
                } else if !lines.isEmpty {
                    syncs = min(syncs, monotonicNanoseconds() + PlayLog.syncInterval)
                }
            }
            folder.close()
            if folder.isIncomplete { mailbox.locked { $0.isIncomplete = true } }
        }
    }

    public func record(_ happened: [Event]) {
        let events = happened.filter { event in
            switch event.what {
            case .itemStart, .itemEnd, .left, .stands: true
            default: false
            }
        }
        if events.isEmpty { return }
        mailbox.post { state in
            if state.events.count < State.most { state.events += events } else { state.isIncomplete = true }
        }
    }

    public enum Outcome { case whole, incomplete, notBack }

    /// Writes the lines that are left, for at most `limit` nanoseconds. Returns whether all lines could be written.
    public func stop(within limit: Int64 = 1_000_000_000) -> Outcome {
        guard mailbox.stop(within: limit).isEmpty else { return .notBack }
        return mailbox.locked { $0.isIncomplete } ? .incomplete : .whole
    }
}

/// The files of the items on the screen, by their real paths: a layout may name one file in many ways. The path is read
/// when the item begins, since a link may lead to another file later.
private struct ItemFiles {
    /// By tile and source.
    private var paths: [[String]: String] = [:]
    private static let most = 10_000

    /// Returns the line of an event; nil if no item has ended.
    mutating func line(_ event: Event) -> LogLine? {
        if case .itemStart(let tile, _, let source) = event.what {
            if paths.count >= Self.most { paths = [:] }
            paths[[tile, source]] = SourceName.path(of: source).flatMap(realName(ofFile:))
        }
        return LogLine(event) { tile, source in
            paths[[tile, source]] ?? SourceName.path(of: source).flatMap(realName(ofFile:))
        }
    }
}

/// A line of the log: an item that was on the screen.
struct LogLine: Sendable {
    /// The line with its newline.
    let text: String
    /// Time of the end by the system's clock, in nanoseconds since 1970.
    let time: Int64

    /// `file`: returns the real path of the file that a tile played from a source; nil if it is none.
    init?(_ event: Event, file: (_ tile: String, _ source: String) -> String?) {
        let item: ItemRecord, tile: String, ended: String
        switch event.what {
        // A still that is shown several times in a row gets one line, when the last showing ends.
        // An item that a break interrupted gets one line, too.
        case .itemEnd(let record, let name, let reason) where !record.goesOn && !record.isInterrupted:
            (item, tile) = (record.wholeShowing, name)
            ended =
                switch reason {
                case .stop: "stopped"
                case .eof where item.isBroken: "error"
                case .eof, .error, .skipped: reason.rawValue
                }
        case .left(let record, let name): (item, tile, ended) = (record.wholeShowing, name, "stopped")
        case .stands(let record, let name): (item, tile, ended) = (record, name, "hour")
        default: return nil
        }
        time = SystemTime.nanoseconds &- (monotonicNanoseconds() - event.at.nanoseconds)
        func rounded(_ time: Time) -> Double { (time.seconds * 1000).rounded() / 1000 }
        let place: PropertyValue = [
            "uuid": .text(Self.newUUID()), "time": .text(SystemTime.text(time)), "tile": .text(tile),
            "item": .integer(item.run.item), "source": .text(item.source),
            "file": .textOrNull(file(tile, item.source)),
        ]
        let line = place.adding(item.names?.json ?? [:]).adding([
            "seconds": .number(rounded(item.shown(until: event.at))),
            "length": .numberOrNull(item.length.map(rounded)),
            "frames": .integer(item.frames), "presented": .integer(item.presented),
            "repeated": .integer(item.repeated), "missed": .integer(item.dropped), "late": .integer(item.late),
            "began": .text(item.beginning.rawValue), "ended": .text(ended),
        ])
        text = JSONWriter.text(line, escaping: .unprintable) + "\n"
    }

    /// Returns a UUID of random numbers (version 4).
    private static func newUUID() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0 ... .max) }
        (bytes[6], bytes[8]) = (bytes[6] & 0x0f | 0x40, bytes[8] & 0x3f | 0x80)
        let digits = bytes.map { String(0x100 + Int($0), radix: 16).dropFirst() }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }
}
