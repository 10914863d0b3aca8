import Base
import CFFmpeg
import Glibc

/// VMAF of pairs of frames: by libavfilter's filter libvmaf, which not every build of FFmpeg has, else by libvmaf itself
/// if it is installed. Belongs to one thread; the filter itself starts as many threads as there are cores.
public final class VMAF {
    /// nil if `session` measures.
    private let library: FilterLibrary?
    private let session: VMAFSession?
    private let shape: FrameShape
    private let references = FrameConverter()
    private let others = FrameConverter()
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var main: UnsafeMutablePointer<AVFilterContext>?
    private var reference: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    /// Descriptor of a memory file, to which the filter writes a line for each pair when it ends.
    private let log: Int32
    private var count: Int64 = 0

    /// Loads libavfilter, and libvmaf if that has no such filter, at the first call.
    public static var isAvailable: Bool { hasFilter || VMAFLibrary.shared != nil }

    private static var hasFilter: Bool { FilterLibrary.shared?.get_by_name("libvmaf") != nil }

    /// States in one line how to have VMAF.
    public static let missing = """
        libvmaf is not installed: a package of the distribution has it (libvmaf or vmaf), or it is built from \
        https://github.com/Netflix/vmaf
        """

    /// `shape`: shape in which frames are compared.
    init(_ shape: FrameShape) throws(SourceTrouble) {
        self.shape = shape
        guard VMAF.hasFilter, let library = FilterLibrary.shared else {
            guard let direct = VMAFLibrary.shared else { throw SourceTrouble(.unsupported, VMAF.missing) }
            (library, session, log) = (nil, try VMAFSession(direct, shape), -1)
            return
        }
        (self.library, session) = (library, nil)
        log = qd_memory_file("vmaf")
        guard log >= 0 else { throw SourceTrouble(.unreadable, String(cString: strerror(errno))) }
        graph = library.graph_alloc()
        let size = "\(shape.size.width)x\(shape.size.height)"
        let input = "video_size=\(size):pix_fmt=\(shape.format):time_base=1/25:pixel_aspect=1/1"
        let status = build(input, library)
        guard status >= 0 else { throw SourceTrouble(.unsupported, "VMAF: \(words(for: status))") }
    }

    deinit {
        library?.graph_free(&graph)
        if log >= 0 { close(log) }
    }

    private func build(_ input: String, _ library: FilterLibrary) -> Int32 {
        for (place, name) in [(\VMAF.main, "main"), (\VMAF.reference, "reference")] {
            let status = library.create_filter(
                &self[keyPath: place], library.get_by_name("buffer"), name, input, nil, graph)
            if status < 0 { return status }
        }
        let status = library.create_filter(&sink, library.get_by_name("buffersink"), "out", nil, nil, graph)
        if status < 0 { return status }
        // Open pads of the graph; `parse` takes those that it connects.
        var (outputs, inputs) = (library.inout_alloc(), library.inout_alloc())
        defer {
            library.inout_free(&outputs)
            library.inout_free(&inputs)
        }
        guard let first = outputs, let last = inputs, let second = library.inout_alloc() else { return qd_ENOMEM }
        first.pointee.next = second
        for (pad, name, filter) in [(first, "main", main), (second, "reference", reference), (last, "out", sink)] {
            (pad.pointee.name, pad.pointee.filter_ctx) = (av_strdup(name), filter)
        }
        let filter =
            "[main][reference]libvmaf=log_path=/proc/self/fd/\(log):log_fmt=csv:n_threads=\(ComparisonCrew.cores)[out]"
        let parsed = library.parse(graph, filter, &inputs, &outputs, nil)
        return parsed < 0 ? parsed : library.config(graph, nil)
    }

    /// Adds the next pair. May block as long as the filter needs for some pairs.
    func add(reference: CodecFrame, other: CodecFrame) throws(SourceTrouble) {
        let own = FrameShape(of: reference).comparable
        guard own.reached(from: own) == shape.reached(from: own) else {
            throw SourceTrouble(.unsupported, "VMAF is of frames of one size and format, and the reference's change")
        }
        let main = try others.codecFrame(other, as: shape, oriented: other.orientation(toMatch: reference))
        let converted = try references.codecFrame(reference, as: shape)
        if let session { return try session.add(reference: converted, other: main) }
        guard let library else { return }
        try push(main, to: self.main, library)
        try push(converted, to: self.reference, library)
        count += 1
        drain(library)
    }

    private func push(
        _ codecFrame: CodecFrame, to source: UnsafeMutablePointer<AVFilterContext>?, _ library: FilterLibrary
    ) throws(SourceTrouble) {
        let copy = try codecFrame.described(as: codecFrame)
        copy.av.pointee.pts = count
        let status = library.push(source, copy.av)
        guard status >= 0 else { throw SourceTrouble(.unsupported, "VMAF: \(words(for: status))") }
    }

    private func drain(_ library: FilterLibrary) {
        let codecFrame = CodecFrame()
        while library.pull(sink, codecFrame.av) >= 0 { av_frame_unref(codecFrame.av) }
    }

    /// Returns the scores of all pairs, in order. No pair may be added afterwards.
    func finish() -> [Double] {
        guard let library else { return session?.finish() ?? [] }
        _ = library.push(main, nil)
        _ = library.push(reference, nil)
        drain(library)
        library.graph_free(&graph)
        return VMAF.scores(ofLog: text(of: log))
    }

    private func text(of file: Int32) -> String {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = pread(file, &block, block.count, off_t(bytes.count)), count > 0 {
            bytes += block[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the column `vmaf` of comma-separated lines.
    static func scores(ofLog text: String) -> [Double] {
        let lines = text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        guard let column = lines.first?.firstIndex(of: "vmaf") else { return [] }
        return lines.dropFirst().compactMap { $0.count > column ? Double($0[column]) : nil }
    }
}
