import Base
import Heard
import Measurement

/// Reads the sound of sources to compare it. Blocks as long as the source may; belongs to one thread.
public enum SoundMeasuring {
    /// Longest stretch of sound that is compared.
    public static let longest = Time.seconds(6 * 3600)

    /// Reads the whole first sound track. `reached` gets the position and returns false to cancel.
    public static func bands(
        of location: String, deadline: Deadline, reached: (Time) -> Bool
    ) throws(SourceTrouble) -> SoundBands {
        let reader = try open(location, deadline)
        let end = SoundGrid.sample(at: longest)
        var bands = SoundBands()
        while case .block(let block) = try reader.next(), block.start < end {
            guard reached(SoundGrid.time(of: block.end)) else {
                throw SourceTrouble(.unreadable, "not wanted any more")
            }
            bands.append(block.samples, at: block.start)
        }
        return bands
    }

    fileprivate static func open(_ location: String, _ deadline: Deadline) throws(SourceTrouble) -> SoundReader {
        do throws(SoundCondition) {
            return try SoundReader.open(SoundSource(location), deadline: deadline)
        } catch {
            if case .failed(_, let trouble) = error { throw trouble }
            throw SourceTrouble(.unsupported, "there is no sound in it")
        }
    }
}

/// Reads some seconds of a source's sound here and there. Blocks as long as the source may; belongs to one thread.
public final class SoundExcerpts {
    private let reader: SoundReader

    public init(of location: String, deadline: Deadline) throws(SourceTrouble) {
        reader = try SoundMeasuring.open(location, deadline)
    }

    /// Reads `count` samples of `CoarseSound`, from `sample` on.
    public func read(from sample: Int64, count: Int) throws(SourceTrouble) -> [Float] {
        let step = Int64(CoarseSound.step)
        try reader.seek(to: sample * step)
        // 10 ms more at the end, because a coarse sample is computed from its neighbours, too.
        let end = (sample + Int64(count)) * step + Int64(SoundGrid.rate) / 100
        var sound = CoarseSound()
        while case .block(let block) = try reader.next(), block.start < end {
            sound.append(block.samples, at: block.start)
            if block.end >= end { break }
        }
        return sound.stretch(from: sample, count: count)
    }
}

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
        let decoder = try Decoder(for: source, threads: threads)
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
