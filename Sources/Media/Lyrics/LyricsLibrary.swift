import Base
import Lyrics
import Threads

/// Words by source. Each source is read on a thread of its own at the first request, and again when a newer version is
/// requested. Until the newer version is read, the former words are returned.
///
/// Any thread may call any method; only `settle` and `stop` wait. Its owner stops it.
///
/// Returns lines with times (`LRCReader`, `UltraStarReader`), or subtitles in libass's form (`SubtitleScript`), which
/// can be shown while the rest is still read.
public final class LyricsLibrary: Sendable {
    private let state = Locked(State())
    private let onReady: @Sendable () -> Void

    private struct State {
        var entries: [LyricsSource: Entry] = [:]
        var uses = 0
        var readings = 0
        var isStopping = false
        var onTrouble: (@Sendable (LyricsSource, SourceTrouble) -> Void)?

        var isBusy: Bool { entries.values.contains(where: \.isReading) }

        /// Makes room for an entry: removes the least recently requested ones that are read. Returns their threads,
        /// which have ended or are about to.
        mutating func leaveOut(over most: Int) -> [Worker] {
            var workers: [Worker] = []
            while entries.count >= most,
                let oldest = entries.filter({ !$0.value.isReading }).min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                workers.append(oldest.value.worker)
                entries[oldest.key] = nil
            }
            return workers
        }
    }

    private struct Entry {
        let worker: Worker
        let deadline: Deadline
        var version: Int
        /// nil until the first words are found.
        var words: Found?
        var isReading = true
        var lastUse: Int
    }

    /// Words, with the number of the reading that found them. Numbers are unique over all sources.
    public struct Found: Sendable {
        public let words: Words
        public let reading: Int
    }

    /// Number of entries kept, which is more than are in use at a time.
    private static let most = 96

    /// `onReady` is called on any thread when requested words were read, or when more of them were.
    public init(onReady: @escaping @Sendable () -> Void) { self.onReady = onReady }

    /// Sets the handler for words that can't be read.
    public func onTrouble(_ handler: (@Sendable (LyricsSource, SourceTrouble) -> Void)?) {
        state.locked { $0.onTrouble = handler }
    }

    /// Returns nil until the source is read; `onReady` is called then.
    public func words(of source: LyricsSource, version: Int = 0) -> Found? {
        let (words, former) = state.locked { state -> (Found?, [Worker]) in
            state.uses += 1
            let entry = state.entries[source]
            state.entries[source]?.lastUse = state.uses
            let isOutdated = entry.map { !$0.isReading && $0.version < version } ?? true
            guard !state.isStopping, isOutdated else { return (entry?.words, []) }
            let deadline = Deadline()
            // The thread waits for the lock, and so finds its entry.
            guard let worker = try? Worker("lyrics", .batch, { [self] in load(source, deadline) }) else {
                return (entry?.words, [])
            }
            let former = entry.map { [$0.worker] } ?? state.leaveOut(over: Self.most)
            state.entries[source] = Entry(
                worker: worker, deadline: deadline, version: version, words: entry?.words, lastUse: state.uses)
            return (entry?.words, former)
        }
        // These have read everything, and are about to end.
        for worker in former { _ = worker.join(within: 500_000_000) }
        return words
    }

    private func load(_ source: LyricsSource, _ deadline: Deadline) {
        guard state.locked({ $0.entries[source]?.deadline === deadline }), !deadline.isCancelled else { return }
        do throws(SourceTrouble) {
            switch try LyricsFile.open(source, deadline) {
            case .words(let words): return note(words, of: source, .read, deadline)
            case .reading(let reader):
                // Without former words, show the new ones as they are read. Former words are replaced when the new ones
                // are complete.
                if !state.locked({ $0.entries[source]?.words != nil }) {
                    note(.script(reader.script), of: source, .reading, deadline)
                }
                try reader.readAll { [onReady] in
                    onReady()
                    return !deadline.isCancelled
                }
                return note(.script(reader.script), of: source, .read, deadline)
            }
        } catch {
            if !deadline.isCancelled { state.locked { $0.onTrouble }?(source, error) }
        }
        note(nil, of: source, .read, deadline)
    }

    private enum Progress { case reading, read }

    private func note(_ words: Words?, of source: LyricsSource, _ progress: Progress, _ reader: Deadline) {
        state.change { state in
            guard var entry = state.entries[source], entry.deadline === reader else { return }
            state.readings += 1
            if words != nil || entry.words == nil {
                entry.words = Found(words: words ?? Words.none, reading: state.readings)
            }
            entry.isReading = progress == .reading
            state.entries[source] = entry
        }
        onReady()
    }

    public var isBusy: Bool { state.locked { $0.isBusy } }

    /// Waits until all requested words are read; false if that took longer than `limit`.
    public func settle(within limit: Int64) -> Bool {
        state.wait(by: monotonicNanoseconds() + limit) { $0.isBusy ? nil : () } != nil
    }

    /// Ends its threads; waits at most `limit` for one that is blocked in a file. Returns the names of those that have not
    /// ended.
    public func stop(within limit: Int64) -> [String] {
        let entries = state.change { state in
            state.isStopping = true
            return exchange(&state.entries, with: [:]).values
        }
        for entry in entries { entry.deadline.cancel() }
        let end = monotonicNanoseconds() + limit
        return entries.flatMap { $0.worker.join(within: max(0, end - monotonicNanoseconds())) }
    }
}
