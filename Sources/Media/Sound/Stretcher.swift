import Base
import CFFmpeg

/// Makes sound faster or slower and keeps its pitch, or changes its key. One thread; never blocks.
///
/// Both filters return sound too early or too late by a measured time (`Delay`). A voice therefore begins earlier by
/// `lead` and drops the surplus.
final class Stretcher {
    private let graph: FilterGraph
    private var written: Int64 = 0
    /// Number of the source's samples that must be read before the place where the sound is wanted.
    let lead: Int64
    /// Number of output samples before that sound, which are dropped.
    private var surplus: Int

    /// nil if FFmpeg's filters are missing. The first one takes some 50 ms.
    ///
    /// atempo is more exact than rubberband if the key stays: it moves bursts less, and one rate is cheaper.
    convenience init?(rate: Rate) {
        // One filter stretches cleanly from a half to twice.
        let factor = rate.value
        let steps = (0.5...2).contains(factor) ? [factor] : [factor.squareRoot(), factor.squareRoot()]
        self.init(
            chain: steps.map { "atempo=\($0)" }.joined(separator: ","), lead: Delay.ofTempo(at: rate), surplus: 0)
    }

    /// `key`: semitones, -12 to 12. Not every FFmpeg has rubberband.
    convenience init?(rate: Rate, key: Int) {
        guard let library = FilterLibrary.shared, library.findFilter("rubberband") != nil else { return nil }
        let pitch = semitone(key), warmUp = Double(Self.warmUp)
        // "smooth" keeps steady tones steady. "crisp" takes them for beats again and again, and breaks them up.
        self.init(
            chain: "rubberband=tempo=\(rate.value):pitch=\(pitch):transients=smooth:channels=together",
            lead: Self.warmUp,
            surplus: Int((warmUp / rate.value + Delay.ofKey(pitch: pitch, at: rate)).rounded()))
    }

    private init?(chain: String, lead: Int64, surplus: Int) {
        guard let library = FilterLibrary.shared else { return nil }
        let input = "sample_rate=\(SoundGrid.rate):sample_fmt=flt:channel_layout=stereo:time_base=1/\(SoundGrid.rate)"
        let graph = try? FilterGraph(library, .sound, input: input, filters: chain + ",aformat=flt:48000:stereo")
        guard let graph else { return nil }
        (self.graph, self.lead, self.surplus) = (graph, lead, surplus)
    }

    func push(_ samples: [Float]) -> [Float] {
        guard !samples.isEmpty, var frame = av_frame_alloc() else { return [] }
        frame.pointee.nb_samples = Int32(samples.count / 2)
        frame.pointee.sample_rate = Int32(SoundGrid.rate)
        frame.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
        frame.pointee.pts = written
        written += Int64(samples.count / 2)
        av_channel_layout_default(&frame.pointee.ch_layout, 2)
        if av_frame_get_buffer(frame, 0) >= 0 {
            samples.withUnsafeBytes {
                UnsafeMutableRawPointer(frame.pointee.data.0!).copyMemory(from: $0.baseAddress!, byteCount: $0.count)
            }
            _ = graph.push(frame)
        }
        free(&frame)
        return drain()
    }

    /// Returns the samples that the filters still hold, and some silence. Nothing may be pushed afterwards.
    ///
    /// The filters hold back samples that do not fill their last window. Silence pushes these samples out.
    func finish() -> [Float] {
        let rest = push([Float](repeating: 0, count: Self.window * 4 * 2))
        _ = graph.push(nil)
        return rest + drain()
    }

    /// Window of either filter, in samples.
    private static let window = 2048

    /// rubberband's window, twice, in samples of the source. The filter's first samples are faint.
    private static let warmUp: Int64 = 4096

    private func drain() -> [Float] {
        var result: [Float] = []
        guard var frame = av_frame_alloc() else { return result }
        while graph.pull(frame) >= 0 {
            let count = Int(frame.pointee.nb_samples) * 2
            frame.pointee.data.0!.withMemoryRebound(to: Float.self, capacity: count) {
                result.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
            }
            av_frame_unref(frame)
        }
        free(&frame)
        let unwanted = min(surplus, result.count / 2)
        surplus -= unwanted
        result.removeFirst(unwanted * 2)
        return result
    }

    private func free(_ frame: inout UnsafeMutablePointer<AVFrame>) {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }
}
