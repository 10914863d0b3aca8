import Base
import Measurement
import Scene

/// Reads the frames of sources to compare how they change. Blocks as long as the source may; belongs to one thread.
public enum FrameMeasuring {
    /// Returns the time that is compared: an hour, or less for a source that takes long to decode.
    public static func span(of facts: SourceFacts) -> Time {
        let pixels = Double(facts.storage.width * facts.storage.height)
        let rate = facts.frames.rate.map { 1 / $0.frame.seconds } ?? 30
        return Time(seconds: min(3600, max(60, 16e9 / max(1, pixels * rate))))
    }

    /// Reads all frames that begin within `span`. `reached` gets the position and returns false to cancel.
    public static func changes(
        of location: String, threads: Int, deadline: Deadline, reached: (Time) -> Bool
    ) throws(SourceTrouble) -> FrameChanges {
        let source = try Source.open(location, deadline: deadline)
        let decoder = try Decoder.open(for: source, threads: threads)
        let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: span(of: source.facts))
        let glancer = Glancer(size: FrameChanges.size)
        var changes = FrameChanges()
        while case .frame(let frame) = try reader.next() {
            guard reached(frame.start) else { throw SourceTrouble(.unreadable, "not wanted any more") }
            changes.append(
                try glancer.glance(at: frame.codecFrame).brightness, start: frame.start, length: frame.length)
        }
        return changes
    }
}
