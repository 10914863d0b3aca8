import Analysis
import Base
import Engine
import Layout
import Media
import Scene

/// Facts of a layout's sources, each opened once.
struct ProbedSources {
    private(set) var findings: [String: Result<SourceFacts, SourceTrouble>] = [:]

    /// Number of sources that are opened at once.
    private static let width = 8

    /// Blocks until each source is open, has failed, or has not answered for `patience` nanoseconds.
    init(of layout: Layout, patience: Int64 = .max) {
        let sources = Array(layout.sources)
        for start in stride(from: 0, to: sources.count, by: Self.width) {
            let some = sources[start..<min(start + Self.width, sources.count)]
            let tasks = some.map { source in
                TimedTask { deadline throws(SourceTrouble) in
                    try Source.open(source, deadline: deadline).facts
                }
            }
            for (source, task) in zip(some, tasks) {
                do throws(SourceTrouble) { findings[source] = .success(try task.value(within: patience)) } catch {
                    findings[source] = .failure(error)
                }
            }
        }
    }

    /// nil if the source can't be played.
    func facts(of source: String) -> SourceFacts? {
        if case .success(let facts)? = findings[source] { facts } else { nil }
    }

    /// True if anything in the layout has sound.
    func hasSound(_ layout: Layout) -> Bool {
        let items = layout.playingTiles.flatMap(\.play)
        let others = items.contains { !$0.audio.sources.isEmpty }
        let own = items.contains { item in
            item.audio != .silent && item.segments.contains { facts(of: $0.source)?.soundTracks.isEmpty == false }
        }
        return own || others || layout.audio.bed != nil
    }

    /// Sets the window's size to suit the frames, for a layout that was made of media.
    func shapeWindow(of layout: inout Layout) {
        let frames = layout.playingTiles.compactMap { facts(of: $0.play[0].segments[0].source)?.natural }
        if let size = layout.grid.windowSize(for: frames) { layout.window.size = size }
    }

    /// The highest of the films' rates, at most 60; 30 where there is no film.
    var frameRate: FrameRate {
        let rates = findings.values.compactMap { finding -> FrameRate? in
            if case .success(let facts) = finding { facts.kind == .video ? facts.frames.rate : nil } else { nil }
        }
        let highest = rates.max { $0.frame > $1.frame } ?? FrameRate(30, 1)
        return highest.frame < FrameRate(60, 1).frame ? FrameRate(60, 1) : highest
    }
}
