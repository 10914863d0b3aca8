import Base
import CFFmpeg
import Glibc

/// VMAF of pairs of frames of one shape, by libvmaf itself with its usual model. Belongs to one thread; the library
/// starts as many threads as there are cores.
final class VMAFSession {
    private let library: VMAFLibrary
    private let size: Size
    /// Number and depth of libvmaf for the pixel format.
    private let format: Format
    private var context: OpaquePointer?
    private var model: OpaquePointer?
    private var count: UInt32 = 0

    private typealias Format = (number: Int32, bits: UInt32, planes: Int32)

    private static let model = "vmaf_v0.6.1"

    init(_ library: VMAFLibrary, _ shape: FrameShape) throws(SourceTrouble) {
        guard let format = Self.format(of: shape.format) else {
            throw SourceTrouble(.unsupported, "VMAF: libvmaf takes no frames of this pixel format")
        }
        (self.library, self.format, size) = (library, format, shape.size)
        var configuration = qd_vmaf_configuration()
        configuration.threads = UInt32(ComparisonCrew.cores)
        var modelConfiguration = qd_vmaf_model_configuration()
        try check(library.make(&context, configuration))
        try check(library.model_load(&model, &modelConfiguration, Self.model))
        try check(library.use_features(context, model))
    }

    deinit {
        if let model { library.model_destroy(model) }
        if let context { _ = library.close(context) }
    }

    /// nil if libvmaf has no such format.
    private static func format(of number: Int32) -> Format? {
        guard let described = av_pix_fmt_desc_get(AVPixelFormat(number))?.pointee,
            described.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_BE) == 0
        else { return nil }
        let bits = UInt32(described.comp.0.depth)
        switch (described.nb_components, described.log2_chroma_w, described.log2_chroma_h) {
        case (1, _, _): return (4, bits, 1)
        case (3..., 1, 1): return (1, bits, 3)
        case (3..., 1, 0): return (2, bits, 3)
        case (3..., 0, 0): return (3, bits, 3)
        default: return nil
        }
    }

    private func check(_ status: Int32) throws(SourceTrouble) {
        if status < 0 { throw SourceTrouble(.unsupported, "VMAF: libvmaf failed with \(status)") }
    }

    /// Adds the next pair. May block as long as the library needs for some pairs.
    func add(reference: CodecFrame, other: CodecFrame) throws(SourceTrouble) {
        var pictures = (qd_vmaf_picture(), qd_vmaf_picture())
        try fill(&pictures.0, with: reference)
        try fill(&pictures.1, with: other)
        // The library releases the pictures.
        try check(library.read_pictures(context, &pictures.0, &pictures.1, count))
        count += 1
    }

    private func fill(_ picture: inout qd_vmaf_picture, with codecFrame: CodecFrame) throws(SourceTrouble) {
        try check(library.picture_alloc(&picture, format.number, format.bits, UInt32(size.width), UInt32(size.height)))
        for plane in 0..<format.planes {
            guard let from = qd_plane(codecFrame.av, plane), let to = qd_vmaf_plane(&picture, plane) else { continue }
            let bytes = Int(qd_vmaf_width(&picture, plane)) * (format.bits > 8 ? 2 : 1)
            let (stride, target) = (Int(qd_stride(codecFrame.av, plane)), Int(qd_vmaf_stride(&picture, plane)))
            for row in 0..<Int(qd_vmaf_height(&picture, plane)) {
                memcpy(to + row * target, from + row * stride, bytes)
            }
        }
    }

    /// Returns the scores of all pairs, in order. No pair may be added afterwards.
    func finish() -> [Double] {
        guard library.read_pictures(context, nil, nil, 0) >= 0 else { return [] }
        var scores: [Double] = []
        for place in 0..<count {
            var score = 0.0
            guard library.score_at_index(context, model, &score, place) >= 0 else { return [] }
            scores.append(score)
        }
        return scores
    }
}
