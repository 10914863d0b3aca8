import CFFmpeg

/// Filters of libavfilter between one source and one sink, without slices in threads. Belongs to one thread.
final class FilterGraph {
    private let library: FilterLibrary
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?

    /// A libavfilter function failed with this status.
    struct Failure: Error { let status: Int32 }

    /// The raw value begins the names of source and sink.
    enum Kind: String { case frames = "", sound = "a" }

    /// `input`: properties of the frames that will be pushed, as options of the filter `buffer` or `abuffer`.
    /// `filters`: a description of the graph, with one open input and one open output.
    init(_ library: FilterLibrary, _ kind: Kind, input: String, filters: String) throws(Failure) {
        self.library = library
        graph = library.graph_alloc()
        guard let graph else { throw Failure(status: qd_ENOMEM) }
        // The tiles keep the cores busy.
        graph.pointee.nb_threads = 1
        // Open pads of the graph; `parse` takes those that it connects.
        var (outputs, inputs): (Pad?, Pad?)
        defer {
            library.inout_free(&outputs)
            library.inout_free(&inputs)
        }
        try check(
            library.create_filter(&source, library.get_by_name(kind.rawValue + "buffer"), "in", input, nil, graph))
        outputs = try pad("in", source)
        try check(
            library.create_filter(&sink, library.get_by_name(kind.rawValue + "buffersink"), "out", nil, nil, graph))
        inputs = try pad("out", sink)
        try check(library.parse(graph, filters, &inputs, &outputs, nil))
        try check(library.config(graph, nil))
    }

    private typealias Pad = UnsafeMutablePointer<AVFilterInOut>

    private func pad(_ name: String, _ filter: UnsafeMutablePointer<AVFilterContext>?) throws(Failure) -> Pad {
        guard let pad = library.inout_alloc() else { throw Failure(status: qd_ENOMEM) }
        (pad.pointee.name, pad.pointee.filter_ctx) = (av_strdup(name), filter)
        return pad
    }

    private func check(_ status: Int32) throws(Failure) { if status < 0 { throw Failure(status: status) } }

    deinit { library.graph_free(&graph) }

    /// Takes the content of a frame, which is empty afterwards. nil ends the input. Returns a status of FFmpeg's.
    func push(_ frame: UnsafeMutablePointer<AVFrame>?) -> Int32 { library.push(source, frame) }

    /// Moves the next frame that came through into an empty frame. Returns a status of FFmpeg's.
    func pull(_ frame: UnsafeMutablePointer<AVFrame>) -> Int32 { library.pull(sink, frame) }
}
