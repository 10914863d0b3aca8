import Base
import Layout

/// Numbers of frames that were due and not shown.
public struct Missed: Hashable, Sendable {
    /// Frames that were decoded.
    var decoded = 0
    /// Frames that were left out before they were decoded.
    var undecoded = 0

    var all: Int { decoded + undecoded }

    static func += (sum: inout Missed, other: Missed) {
        sum.decoded += other.decoded
        sum.undecoded += other.undecoded
    }
}

/// Frames that were due and not shown, with the runs that they belong to.
struct MissedFrames {
    private(set) var runs: [(run: RunID, frames: Missed)] = []

    init() {}

    init(_ frames: Missed, of run: RunID) { add(frames, of: run) }

    mutating func add(_ frames: Missed, of run: RunID) { if frames.all > 0 { runs.append((run, frames)) } }

    /// `undecoded`: a number of frames that were left out before they were decoded.
    mutating func add(undecoded: Int, of run: RunID) { add(Missed(undecoded: undecoded), of: run) }

    mutating func add(_ other: MissedFrames, times count: Int = 1) {
        for (run, frames) in other.runs {
            add(Missed(decoded: frames.decoded * count, undecoded: frames.undecoded * count), of: run)
        }
    }

    var all: Int { runs.reduce(0) { $0 + $1.frames.all } }
}

/// A place in what a feed plays: an offset in a run, in an iteration of the group's A-B loop.
struct CoursePlace {
    var run: RunID
    /// Group time since the start of the run.
    var offset: Time
    var abIteration = 0
}

// Frames that were due between two places of a course, of which none was decoded: the program did not run, or a server
// did not answer. They follow from the timeline and the facts of the sources.
extension Course {
    /// Returns the frames that begin at or after `begin`, and before the frame that is shown at `end`.
    func frames(from begin: CoursePlace, to end: CoursePlace, _ sources: FeedSources, _ group: Group) -> MissedFrames {
        let count = DueCount(course: self, sources: sources, group: group)
        guard let abLoop, begin.abIteration < end.abIteration else { return count.frames(from: begin, to: end) }
        let (first, last) = (place(at: abLoop.begin, group), place(at: abLoop.end - group.dueTolerance, group))
        var frames = count.frames(from: begin, to: last)
        frames.add(count.frames(from: first, to: last), times: end.abIteration - begin.abIteration - 1)
        frames.add(count.frames(from: first, to: end))
        return frames
    }

    private func place(at groupTime: Time, _ group: Group) -> CoursePlace {
        let entrance = entrance(at: groupTime, group)
        return CoursePlace(run: entrance.run, offset: entrance.entry)
    }
}

/// Counts the frames of a course's runs.
private struct DueCount {
    let course: Course
    let sources: FeedSources
    let group: Group
    /// Time since the beginning of an iteration at which the next one cuts it off; nil if none does.
    private var longest: Time? {
        guard group.isTogether, group.until == .shortest else { return nil }
        return group.iterations.nextStart.map { $0 - group.iterations.start + course.anchor.offset }
    }

    private var timeline: Timeline { course.timeline }

    func frames(from begin: CoursePlace, to end: CoursePlace) -> MissedFrames {
        var (frames, place) = (MissedFrames(), begin)
        while place.run != end.run {
            frames.add(undecoded: rest(of: place), of: place.run)
            guard let next = course.following(place.run), next.iteration <= end.run.iteration else { return frames }
            place.run = next
            // A wall may have stood still for days, in which a short film was due a million times.
            if next.beginsIteration {
                let count = iterationsWithoutTop(from: next.iteration, to: end.run.iteration)
                if count > 0 {
                    frames.add(undecoded: wholeIteration * count, of: next)
                    place.run.iteration += count
                }
            } else if next.segment == 0, next.layer == 0, !next.isRest, timeline.layer?.iteration != next.iteration {
                let isOfEnd = next.isOfItem(of: end.run)
                let rounds = (isOfEnd ? end.run.round : timeline.items[next.item].rounds - 1) - next.round
                if rounds > 0 {
                    frames.add(undecoded: wholeRound(of: next.item) * rounds, of: next)
                    place.run.round += rounds
                }
            }
            place.offset = entry(of: place.run)
        }
        frames.add(
            undecoded: number(shownAt: end.offset, in: end.run) - number(from: place.offset, in: end.run), of: end.run)
        return frames
    }

    /// Returns the number of iterations from one on, before another, in which nothing is on top of the sequence.
    private func iterationsWithoutTop(from first: Int, to end: Int) -> Int {
        guard let layered = timeline.layer?.iteration, (first..<max(first, end)).contains(layered) else {
            return end - first
        }
        return layered - first
    }

    private var wholeIteration: Int {
        timeline.items.indices.reduce(0) { sum, item in
            guard longest != nil else { return sum + wholeRound(of: item) * timeline.items[item].rounds }
            return (0..<timeline.items[item].rounds).reduce(sum) { $0 + wholeRound(of: item, round: $1) }
        }
    }

    private func wholeRound(of item: Int, round: Int = 0) -> Int {
        timeline.items[item].segments.indices.reduce(0) { sum, segment in
            let run = RunID(iteration: 0, item: item, round: round, segment: segment)
            return sum + rest(of: CoursePlace(run: run, offset: entry(of: run)))
        }
    }

    /// Returns the offset at which a run is entered.
    private func entry(of run: RunID) -> Time {
        let isFirst = group.isTogether && run.beginsIteration
        return max(timeline.entry(of: run), isFirst ? course.anchor.offset : .zero)
    }

    /// Returns the number of frames of a run from a place to its end.
    private func rest(of place: CoursePlace) -> Int {
        guard var end = timeline.cutOffset(of: place.run) ?? timeline.length(of: place.run) else { return 0 }
        if let longest, let offset = timeline.offset(of: place.run) { end = min(end, longest - offset) }
        return max(0, number(from: end, in: place.run) - number(from: place.offset, in: place.run))
    }

    /// Returns the number of frames of the run's source that begin before an offset. The frame at the start of the run
    /// may begin before it.
    private func number(from offset: Time, in run: RunID) -> Int {
        guard let (frame, media) = media(at: offset, in: run) else { return offset > .zero ? stills(of: run) : 0 }
        let slack = frame / 16
        if offset <= .zero { return Int(max(0, (media + slack).ticks / frame.ticks)) }
        return Int(max(0, (media - slack).ticks / frame.ticks + 1))
    }

    /// Returns the number of the source's frame that is shown at an offset.
    private func number(shownAt offset: Time, in run: RunID) -> Int {
        guard let (frame, media) = media(at: offset, in: run) else { return 0 }
        return Int(max(0, (media + frame.dueTolerance).ticks / frame.ticks))
    }

    private func media(at offset: Time, in run: RunID) -> (frame: Time, media: Time)? {
        guard let facts = sources.facts(of: timeline.segment(of: run).source), facts.kind == .video, facts.live == nil,
            let frame = facts.frameLength, frame > .zero
        else { return nil }
        return (frame, timeline.segment(of: run).start + offset.played(at: timeline.rate(of: run)))
    }

    /// A still is one frame, in all of its rounds.
    private func stills(of run: RunID) -> Int {
        sources.facts(of: timeline.segment(of: run).source)?.kind == .still && run.round == 0 ? 1 : 0
    }
}
