import Base
import CFFmpeg
import Glibc

/// VMAF of pairs of frames: by libavfilter's filter libvmaf, which not every build of FFmpeg has, else by libvmaf itself
/// if it is installed. Belongs to one thread; the filter itself starts as many threads as there are cores.
public final class VMAF {
    private let session: VMAFSession?
    private let shape: FrameShape
    private let references = FrameConverter()
    private let others = FrameConverter()
    /// nil if `session` measures.
    private var graph: FilterGraph?
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
            (session, log) = (try VMAFSession(direct, shape), -1)
            return
        }
        session = nil
        log = qd_memory_file("vmaf")
        guard log >= 0 else { throw SourceTrouble(.unreadable, String(cString: strerror(errno))) }
        let size = "\(shape.size.width)x\(shape.size.height)"
        let input = "video_size=\(size):pix_fmt=\(shape.format):time_base=1/25:pixel_aspect=1/1"
        let filter =
            "[main][reference]libvmaf=log_path=/proc/self/fd/\(log):log_fmt=csv:n_threads=\(ComparisonCrew.cores)[out]"
        do throws(FilterGraph.Failure) {
            graph = try FilterGraph(library, .frames, inputs: ["main", "reference"], input: input, filters: filter)
        } catch {
            throw SourceTrouble(.unsupported, "VMAF: \(words(for: error.status))")
        }
    }

    deinit {
        // The filter still writes when it ends.
        graph = nil
        if log >= 0 { close(log) }
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
        guard let graph else { return }
        for (input, codecFrame) in [main, converted].enumerated() {
            let copy = try codecFrame.described(as: codecFrame)
            copy.av.pointee.pts = count
            let status = graph.push(copy.av, to: input)
            guard status >= 0 else { throw SourceTrouble(.unsupported, "VMAF: \(words(for: status))") }
        }
        count += 1
        drain(graph)
    }

    private func drain(_ graph: FilterGraph) {
        let codecFrame = CodecFrame()
        while graph.pull(codecFrame.av) >= 0 { av_frame_unref(codecFrame.av) }
    }

    /// Returns the scores of all pairs, in order. No pair may be added afterwards.
    func finish() -> [Double] {
        guard let ending = graph else { return session?.finish() ?? [] }
        for input in 0..<2 { _ = ending.push(nil, to: input) }
        drain(ending)
        ending.end()
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
