import Base
import CFFmpeg
import Heard

/// A file's sound on the sample grid. Sample `n` is heard n/48000 s after the file's first frame, or after its first
/// sample if it has no video. A seek does not change that.
///
/// Owned by one thread at a time. Opening, seeking and reading may block as long as the file may.
public final class SoundReader: SoundSamples {
    public let trackCount: Int
    /// One past the last sample: exact once the file has been read to its end.
    public private(set) var end: Int64?
    private let file: SoundFile
    private let format: SoundFormat
    private let converter: SoundConverter
    /// Samples before this one are not wanted.
    private var wanted: Int64 = 0
    /// The grid's sample that the converter returns next; nil until the next frame determines it.
    private var position: Int64?
    private var isDrained = false

    /// Interleaved stereo.
    public struct Block {
        public var start: Int64
        public var samples: [Float]
        public var count: Int { samples.count / 2 }
        public var end: Int64 { start + Int64(count) }
    }

    public enum Step {
        case block(Block)
        /// No samples yet: a live source has sent no more.
        case nothing
        case end
    }

    public static func open(_ source: SoundSource, deadline: Deadline) throws(SoundTrouble) -> SoundReader {
        SoundReader(try SoundFile.open(source, deadline: deadline), source.choice.channel)
    }

    private init(_ file: SoundFile, _ channel: ItemAudio.Channel) {
        (self.file, format) = (file, file.packets.format)
        converter = SoundConverter(channel: channel)
        trackCount = format.trackCount
        end = format.exactEnd.map(SoundGrid.sample)
    }

    var hasMended: Bool { converter.hasMended }
    var isStale: Bool { file.packets.isStale }

    /// The next block begins at `sample`, or later where the sound does. `ahead` is not used for files.
    public func seek(to sample: Int64, heardIn ahead: Int64 = 0) throws(SourceTrouble) {
        wanted = sample
        isDrained = false
        position = nil
        converter.restart()
        try file.seek(to: SoundGrid.time(of: max(0, sample)))
    }

    public func next() throws(SourceTrouble) -> Step {
        while !isDrained {
            var samples: [Float] = []
            switch try file.next() {
            case .frame(let frame, let time):
                guard place(frame, at: time) else { continue }
                converter.convert(frame, into: &samples)
            case .nothing:
                return .nothing
            case .end:
                isDrained = true
                converter.convert(nil, into: &samples)
            }
            if let block = take(samples) { return .block(block) }
            // Frames before the wanted one are no sound. The caller notices if a live source sends no others.
            if format.isLive, !isDrained { return .nothing }
        }
        return .end
    }

    /// Determines the place of a frame. Returns false if no part of the frame is used.
    ///
    /// If the file has another rate, a new start is put on a sample of the file that coincides with one of the grid.
    /// Samples are counted from the file's first, so every seek gives the same samples.
    private func place(_ frame: UnsafeMutablePointer<AVFrame>, at time: Time) -> Bool {
        let start = SoundGrid.sample(at: time)
        if let position, abs(start - position) <= SoundReader.slack { return true }
        converter.restart()
        position = nil
        let rate = Int64(frame.pointee.sample_rate)
        let period = rate / greatestCommonDivisor(rate, Int64(SoundGrid.rate))
        let first = file.timeline.first?.start ?? time
        let index = Int64(
            clamping: quotient(Int128((time - first).ticks) * Int128(rate), over: Int128(Time.ticksPerSecond)))
        let surplus = (period - index % period) % period
        guard surplus < Int64(frame.pointee.nb_samples) else { return false }
        if surplus > 0 { qd_leave_out(frame, Int32(surplus)) }
        position = SoundGrid.sample(at: first) + (index + surplus) / period * (period * Int64(SoundGrid.rate) / rate)
        return true
    }

    /// Number of samples that the converter may hold back.
    private static let slack: Int64 = 480

    /// Places the converted samples and removes the unwanted ones.
    private func take(_ samples: [Float]) -> Block? {
        guard let start = position else { return nil }
        var block = Block(start: start, samples: samples)
        position = block.end
        if isDrained, format.exactEnd == nil { end = block.end }
        if let end, block.end > end { block.samples.removeLast(min(samples.count, Int(block.end - end) * 2)) }
        if block.start < wanted {
            let cut = min(Int(wanted - block.start), block.count)
            block.samples.removeFirst(cut * 2)
            block.start += Int64(cut)
        }
        return block.samples.isEmpty ? nil : block
    }
}

private func greatestCommonDivisor(_ a: Int64, _ b: Int64) -> Int64 { b == 0 ? a : greatestCommonDivisor(b, a % b) }

/// Source of a voice's samples: a file or a sound input. Owned by one thread at a time.
protocol SoundSamples: AnyObject {
    var trackCount: Int { get }
    /// One past the last sample; nil if it is unknown, or if there is none.
    var end: Int64? { get }
    /// True once samples were no numbers or absurd, and were replaced or limited.
    var hasMended: Bool { get }
    /// True if nothing was read for so long that it must be opened anew.
    var isStale: Bool { get }

    /// The next block begins at `sample`, or later where the sound does. `ahead`: number of samples until it is heard.
    func seek(to sample: Int64, heardIn ahead: Int64) throws(SourceTrouble)
    func next() throws(SourceTrouble) -> SoundReader.Step
}
