import CFFmpeg
import WallCore

/// Makes sound faster or slower and keeps its pitch. One thread; never blocks.
final class Stretcher {
    private let library: FilterLibrary
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    private var written: Int64 = 0

    /// nil where FFmpeg's filters are missing. The first one takes some 50 ms.
    init?(rate: Rate) {
        guard let library = FilterLibrary.shared else { return nil }
        self.library = library
        graph = library.makeGraph()
        // One filter stretches cleanly from a half to twice.
        let factor = rate.value
        let steps = (0.5...2).contains(factor) ? [factor] : [factor.squareRoot(), factor.squareRoot()]
        let chain = steps.map { "atempo=\($0)" }.joined(separator: ",")
        let input = "sample_rate=\(SoundGrid.rate):sample_fmt=flt:channel_layout=stereo:time_base=1/\(SoundGrid.rate)"
        guard library.createFilter(&source, library.findFilter("abuffer"), "in", input, nil, graph) >= 0,
            library.createFilter(&sink, library.findFilter("abuffersink"), "out", nil, nil, graph) >= 0
        else { return nil }
        var outputs = library.makePads()
        var inputs = library.makePads()
        defer {
            library.freePads(&outputs)
            library.freePads(&inputs)
        }
        outputs?.pointee.name = av_strdup("in")
        outputs?.pointee.filter_ctx = source
        inputs?.pointee.name = av_strdup("out")
        inputs?.pointee.filter_ctx = sink
        guard library.parse(graph, chain + ",aformat=flt:48000:stereo", &inputs, &outputs, nil) >= 0,
            library.configure(graph, nil) >= 0
        else { return nil }
    }

    deinit { library.freeGraph(&graph) }

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
            _ = library.push(source, frame)
        }
        free(&frame)
        return drain()
    }

    /// What it still holds, and some silence. Nothing may be pushed afterwards.
    ///
    /// atempo keeps what does not fill its last window: silence pushes that out.
    func finish() -> [Float] {
        let rest = push([Float](repeating: 0, count: Self.window * 2 * 2))
        _ = library.push(source, nil)
        return rest + drain()
    }

    /// atempo's, in samples.
    private static let window = 2048

    /// How much before the place where its sound is wanted a source is to be begun, in samples of the source.
    ///
    /// atempo puts out what it was given too early, by this much; measured with bursts, to 3 ms. Slower than a half and
    /// faster than twice there are two of it, one behind the other.
    static func lead(at rate: Rate) -> Int64 {
        let value = rate.value
        guard let above = leads.firstIndex(where: { $0.rate >= value }), above > 0 else {
            return Int64(leads[value < 1 ? 0 : leads.count - 1].milliseconds * Double(SoundGrid.rate) / 1000)
        }
        let (low, high) = (leads[above - 1], leads[above])
        let part = (value - low.rate) / (high.rate - low.rate)
        return Int64((low.milliseconds + (high.milliseconds - low.milliseconds) * part) * Double(SoundGrid.rate) / 1000)
    }

    private static let leads: [(rate: Double, milliseconds: Double)] = [
        (0.25, 12.4), (0.4, 14), (0.499, 14), (0.5, 10), (0.7, 9.8), (1, 11.2), (1.5, 11.1), (2, 15), (2.001, 29),
        (2.5, 32), (3, 36.5), (4, 46.2),
    ]

    private func drain() -> [Float] {
        var result: [Float] = []
        guard var frame = av_frame_alloc() else { return result }
        while library.pull(sink, frame) >= 0 {
            let count = Int(frame.pointee.nb_samples) * 2
            frame.pointee.data.0!.withMemoryRebound(to: Float.self, capacity: count) {
                result.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
            }
            av_frame_unref(frame)
        }
        free(&frame)
        return result
    }

    private func free(_ frame: inout UnsafeMutablePointer<AVFrame>) {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }
}
