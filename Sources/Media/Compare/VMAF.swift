import Base
import CFFmpeg
import Threads

/// VMAF of pairs of frames, by libvmaf with its usual model. Belongs to one thread; the library starts as many threads
/// as there are cores.
public final class VMAF {
    private let library: VMAFLibrary
    private let shape: FrameShape
    private let layout: PlaneLayout
    /// libvmaf's number of the pixel format, without its depth.
    private let format: Int32
    private let converter = PairConverter()
    private var context: OpaquePointer?
    private var model: OpaquePointer?
    private var count: UInt32 = 0

    private static let model = "vmaf_v0.6.1"

    /// Loads libvmaf at the first call.
    public static var isAvailable: Bool { VMAFLibrary.shared != nil }

    /// States in one line how to have VMAF.
    public static let missing = """
        libvmaf is not installed: a package of the distribution has it (libvmaf or vmaf), or it is built from \
        https://github.com/Netflix/vmaf
        """

    /// `shape`: shape in which frames are compared.
    init(_ shape: FrameShape) throws(SourceTrouble) {
        guard let library = VMAFLibrary.shared else { throw SourceTrouble(.unsupported, VMAF.missing) }
        guard let layout = PlaneLayout(shape.format), let format = Self.format(of: layout) else {
            throw SourceTrouble(.unsupported, "VMAF: libvmaf takes no frames of this pixel format")
        }
        (self.library, self.shape, self.layout, self.format) = (library, shape, layout, format)
        var configuration = qd_vmaf_configuration()
        configuration.threads = UInt32(coreCount)
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
    private static func format(of layout: PlaneLayout) -> Int32? {
        switch (layout.count, layout.chromaWidthShift, layout.chromaHeightShift) {
        case (1, _, _): 4
        case (_, 1, 1): 1
        case (_, 1, 0): 2
        case (_, 0, 0): 3
        default: nil
        }
    }

    private func check(_ status: Int32) throws(SourceTrouble) {
        if status < 0 { throw SourceTrouble(.unsupported, "VMAF: libvmaf failed with \(status)") }
    }

    /// Adds the next pair. May block as long as the library needs for some pairs.
    func add(reference: CodecFrame, other: CodecFrame) throws(SourceTrouble) {
        let own = FrameShape(of: reference).comparable
        guard own.reached(from: own) == shape.reached(from: own) else {
            throw SourceTrouble(.unsupported, "VMAF is of frames of one size and format, and the reference's change")
        }
        let pair = try converter.pair(reference, other, as: shape)
        var pictures = (qd_vmaf_picture(), qd_vmaf_picture())
        try fill(&pictures.0, with: pair.reference)
        try fill(&pictures.1, with: pair.other)
        // The library releases the pictures.
        try check(library.read_pictures(context, &pictures.0, &pictures.1, count))
        count += 1
    }

    private func fill(_ picture: inout qd_vmaf_picture, with codecFrame: CodecFrame) throws(SourceTrouble) {
        let (width, height) = (UInt32(shape.size.width), UInt32(shape.size.height))
        try check(library.picture_alloc(&picture, format, UInt32(layout.bits), width, height))
        // libvmaf takes no alpha.
        for index in 0..<min(3, layout.count) {
            guard let from = codecFrame.plane(index, layout), let to = qd_vmaf_plane(&picture, Int32(index)) else {
                continue
            }
            av_image_copy_plane(
                to, Int32(qd_vmaf_stride(&picture, Int32(index))), from.base, from.stride,
                from.width * (layout.bits > 8 ? 2 : 1), from.height)
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
