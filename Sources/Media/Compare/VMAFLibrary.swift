import Base
import CFFmpeg
import Glibc

/// Functions of libvmaf, for FFmpeg's libraries that were built without it. The library is loaded at first use.
struct VMAFLibrary: @unchecked Sendable {
    typealias Initialize =
        @convention(c) (UnsafeMutablePointer<OpaquePointer?>?, qd_vmaf_configuration) -> Int32
    typealias LoadModel =
        @convention(c) (
            UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<qd_vmaf_model_configuration>?,
            UnsafePointer<CChar>?
        ) -> Int32
    typealias UseModel = @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32
    typealias Allocate =
        @convention(c) (UnsafeMutablePointer<qd_vmaf_picture>?, Int32, UInt32, UInt32, UInt32) -> Int32
    typealias Read =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<qd_vmaf_picture>?, UnsafeMutablePointer<qd_vmaf_picture>?, UInt32
        ) -> Int32
    typealias Score = @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutablePointer<Double>?, UInt32) -> Int32
    typealias Close = @convention(c) (OpaquePointer?) -> Int32
    typealias Destroy = @convention(c) (OpaquePointer?) -> Void

    let initialize: Initialize
    let loadModel: LoadModel
    let useModel: UseModel
    let allocate: Allocate
    let read: Read
    let score: Score
    let close: Close
    let destroyModel: Destroy

    /// nil if the library is not installed.
    static let shared = VMAFLibrary()

    /// Names of version 3 and of version 2.
    private static let names = ["libvmaf.so.3", "libvmaf.so.1"]

    private init?() {
        guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else { return nil }
        func function<Function>(_ name: String, _ type: Function.Type = Function.self) -> Function? {
            dlsym(library, name).map { unsafeBitCast($0, to: type) }
        }
        guard let initialize: Initialize = function("vmaf_init"),
            let loadModel: LoadModel = function("vmaf_model_load"),
            let useModel: UseModel = function("vmaf_use_features_from_model"),
            let allocate: Allocate = function("vmaf_picture_alloc"), let read: Read = function("vmaf_read_pictures"),
            let score: Score = function("vmaf_score_at_index"), let close: Close = function("vmaf_close"),
            let destroyModel: Destroy = function("vmaf_model_destroy")
        else { return nil }
        (self.initialize, self.loadModel, self.useModel) = (initialize, loadModel, useModel)
        (self.allocate, self.read, self.score) = (allocate, read, score)
        (self.close, self.destroyModel) = (close, destroyModel)
    }
}

/// VMAF of pairs of frames of one shape, by libvmaf itself with its usual model. Belongs to one thread; the library
/// starts as many threads as there are cores.
final class VMAFSession {
    private let library: VMAFLibrary
    private let size: Size
    private let format: Format
    private var context: OpaquePointer?
    private var model: OpaquePointer?
    private var count: UInt32 = 0

    /// Number and depth of libvmaf for a pixel format.
    private struct Format {
        let number: Int32
        let bits: UInt32
        let planes: Int32
    }

    private static let model = "vmaf_v0.6.1"

    init(_ library: VMAFLibrary, _ shape: FrameShape) throws(SourceTrouble) {
        guard let format = Self.format(of: shape.format) else {
            throw SourceTrouble(.unsupported, "VMAF: libvmaf takes no frames of this pixel format")
        }
        (self.library, self.format, size) = (library, format, shape.size)
        var configuration = qd_vmaf_configuration()
        configuration.threads = UInt32(ComparisonCrew.cores)
        var modelConfiguration = qd_vmaf_model_configuration()
        try check(library.initialize(&context, configuration))
        try check(library.loadModel(&model, &modelConfiguration, Self.model))
        try check(library.useModel(context, model))
    }

    deinit {
        if let model { library.destroyModel(model) }
        if let context { _ = library.close(context) }
    }

    /// nil if libvmaf has no such format.
    private static func format(of number: Int32) -> Format? {
        guard let described = av_pix_fmt_desc_get(AVPixelFormat(number))?.pointee,
            described.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_BE) == 0
        else { return nil }
        let bits = UInt32(described.comp.0.depth)
        switch (described.nb_components, described.log2_chroma_w, described.log2_chroma_h) {
        case (1, _, _): return Format(number: 4, bits: bits, planes: 1)
        case (3..., 1, 1): return Format(number: 1, bits: bits, planes: 3)
        case (3..., 1, 0): return Format(number: 2, bits: bits, planes: 3)
        case (3..., 0, 0): return Format(number: 3, bits: bits, planes: 3)
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
        try check(library.read(context, &pictures.0, &pictures.1, count))
        count += 1
    }

    private func fill(_ picture: inout qd_vmaf_picture, with codecFrame: CodecFrame) throws(SourceTrouble) {
        try check(
            library.allocate(&picture, format.number, format.bits, UInt32(size.width), UInt32(size.height)))
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
        guard library.read(context, nil, nil, 0) >= 0 else { return [] }
        var scores: [Double] = []
        for place in 0..<count {
            var score = 0.0
            guard library.score(context, model, &score, place) >= 0 else { return [] }
            scores.append(score)
        }
        return scores
    }
}
