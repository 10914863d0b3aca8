import Base
import CFFmpeg
import func Glibc.exp2

/// Makes sound faster or slower and keeps its pitch, or changes its key. One thread; never blocks.
///
/// A voice begins earlier by `lead` and drops the surplus: FFmpeg's atempo returns sound too early by a measured time,
/// and the first frame of a `PhaseVocoder` has nothing before it.
final class Stretcher {
    private let means: Means
    private var written: Int64 = 0
    /// Number of the source's samples that must be read before the place where the sound is wanted.
    let lead: Int64
    /// Number of output samples before that sound, which are dropped.
    private var surplus: Int

    private enum Means {
        /// FFmpeg's filter atempo.
        case tempo(FilterGraph)
        /// The vocoder makes the sound longer, and the converter plays it faster, or the other way about. `rate`: the
        /// sample rate from which it converts.
        case key(PhaseVocoder, SoundConverter, rate: Int32)
    }

    /// nil if FFmpeg's filters are missing. The first one takes some 50 ms.
    ///
    /// atempo is more exact than a vocoder if the key stays: it moves bursts less.
    init?(rate: Rate) {
        // One filter stretches cleanly from a half to twice.
        let factor = rate.value
        let steps = (0.5...2).contains(factor) ? [factor] : [factor.squareRoot(), factor.squareRoot()]
        guard let library = FilterLibrary.shared else { return nil }
        let input = "sample_rate=\(SoundGrid.rate):sample_fmt=flt:channel_layout=stereo:time_base=1/\(SoundGrid.rate)"
        let chain = steps.map { "atempo=\($0)" }.joined(separator: ",") + ",aformat=flt:48000:stereo"
        guard let graph = try? FilterGraph(library, .sound, input: input, filters: chain) else { return nil }
        (means, lead, surplus) = (.tempo(graph), Self.tempoDelay(at: rate), 0)
    }

    /// `key`: semitones, -12 to 12.
    init(rate: Rate, key: Int) {
        // The nearest pitch of a whole sample rate is less than 0.1 cents away.
        let sampleRate = Int32((Double(SoundGrid.rate) * semitone(key)).rounded())
        let pitch = Double(sampleRate) / Double(SoundGrid.rate)
        means = .key(PhaseVocoder(stretch: pitch / rate.value), SoundConverter(channel: .both), rate: sampleRate)
        lead = Int64(PhaseVocoder.window)
        surplus = Int((Double(PhaseVocoder.window) / rate.value).rounded())
    }

    func push(_ samples: [Float]) -> [Float] {
        switch means {
        case .tempo(let graph):
            withFrame(of: samples, rate: Int32(SoundGrid.rate)) { _ = graph.push($0) }
            return drain(graph)
        case .key(let vocoder, let converter, let rate):
            var result: [Float] = []
            withFrame(of: vocoder.push(samples), rate: rate) { converter.convert($0, into: &result) }
            return withoutSurplus(result)
        }
    }

    /// Returns the samples that are still held, and some silence. Nothing may be pushed afterwards.
    ///
    /// Samples that do not fill the last window are held back. Silence pushes these samples out.
    func finish() -> [Float] {
        switch means {
        case .tempo(let graph):
            let rest = push([Float](repeating: 0, count: Self.tempoWindow * 4 * 2))
            _ = graph.push(nil)
            return rest + drain(graph)
        case .key(_, let converter, _):
            var last: [Float] = []
            let rest = push([Float](repeating: 0, count: PhaseVocoder.window * 2))
            converter.convert(nil, into: &last)
            return rest + withoutSurplus(last)
        }
    }

    /// Window of atempo, in samples.
    private static let tempoWindow = 2048

    private func drain(_ graph: FilterGraph) -> [Float] {
        var result: [Float] = []
        let owner = CodecFrame(), frame = owner.av
        while graph.pull(frame) >= 0 {
            let count = Int(frame.pointee.nb_samples) * 2
            frame.pointee.data.0!.withMemoryRebound(to: Float.self, capacity: count) {
                result.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
            }
            av_frame_unref(frame)
        }
        return withoutSurplus(result)
    }

    private func withoutSurplus(_ samples: [Float]) -> [Float] {
        let unwanted = min(surplus, samples.count / 2)
        surplus -= unwanted
        return unwanted == 0 ? samples : Array(samples[(unwanted * 2)...])
    }

    /// Calls `body` with a frame that holds the samples; not if there are none.
    private func withFrame(of samples: [Float], rate: Int32, _ body: (UnsafeMutablePointer<AVFrame>) -> Void) {
        guard !samples.isEmpty else { return }
        let owner = CodecFrame(), frame = owner.av
        frame.pointee.nb_samples = Int32(samples.count / 2)
        frame.pointee.sample_rate = rate
        frame.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
        frame.pointee.pts = written
        written += Int64(samples.count / 2)
        av_channel_layout_default(&frame.pointee.ch_layout, 2)
        if av_frame_get_buffer(frame, 0) >= 0 {
            samples.withUnsafeBytes {
                UnsafeMutableRawPointer(frame.pointee.data.0!).copyMemory(from: $0.baseAddress!, byteCount: $0.count)
            }
            body(frame)
        }
    }

    /// Number of the source's samples by which FFmpeg's filter atempo returns its input too early, measured with bursts;
    /// accurate to 3 ms. Below a half and above twice, two of the filters work in series.
    static func tempoDelay(at rate: Rate) -> Int64 {
        let value = min(max(rate.value, tempo[0].at), tempo[tempo.count - 1].at)
        let above = max(1, tempo.firstIndex { $0.at >= value }!), (low, high) = (tempo[above - 1], tempo[above])
        let milliseconds =
            low.milliseconds + (high.milliseconds - low.milliseconds) * (value - low.at) / (high.at - low.at)
        return Int64(milliseconds * Double(SoundGrid.rate) / 1000)
    }

    private static let tempo: [(at: Double, milliseconds: Double)] = [
        (0.25, 12.4), (0.4, 14), (0.499, 14), (0.5, 10), (0.7, 9.8), (1, 11.2), (1.5, 11.1), (2, 15), (2.001, 29),
        (2.5, 32), (3, 36.5), (4, 46.2),
    ]
}

/// Returns the factor of this number of semitones.
func semitone(_ count: Int) -> Double { exp2(Double(count) / 12) }
