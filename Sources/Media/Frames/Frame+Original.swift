import Base
import CFFmpeg
import Decoded

extension Frame.Original {
    /// `isShared`: true if the frame has the codec frame's own planes.
    init(_ codecFrame: CodecFrame, oriented orientation: Orientation, isShared: Bool) {
        let av = codecFrame.av.pointee
        var planes: [Frame.Plane] = []
        planes.reserveCapacity(4)
        while planes.count < 4, let base = qd_plane(codecFrame.av, Int32(planes.count)) {
            planes.append(Frame.Plane(base: base, stride: Int(qd_stride(codecFrame.av, Int32(planes.count)))))
        }
        self.init(
            size: codecFrame.storage, planes: planes,
            tags: Tags(
                format: av.format, matrix: av.colorspace.rawValue, range: av.color_range.rawValue,
                primaries: av.color_primaries.rawValue, transfer: av.color_trc.rawValue),
            colorimetry: codecFrame.colorimetry, bits: codecFrame.bits, orientation: orientation,
            bytes: isShared ? 0 : codecFrame.bytes, owner: codecFrame, read: { $0.pixelValues(atX: $1, y: $2) })
    }
}

extension CodecFrame {
    /// Refers to the samples that a frame has kept, without copying them. Retains their memory.
    public convenience init(_ original: Frame.Original) throws(SourceTrouble) {
        let (tags, planes) = (original.tags, original.planes)
        self.init(original.size, tags.format)
        av.pointee.colorspace = AVColorSpace(tags.matrix)
        av.pointee.color_range = AVColorRange(tags.range)
        av.pointee.color_primaries = AVColorPrimaries(tags.primaries)
        av.pointee.color_trc = AVColorTransferCharacteristic(tags.transfer)
        for (index, plane) in planes.enumerated() {
            qd_set_plane(av, Int32(index), UnsafeMutablePointer(mutating: plane.base), Int32(plane.stride))
        }
        decided = original.colorimetry
        // FFmpeg copies the samples of a frame that has no buffer.
        guard
            let buffer = heldBuffer(qd_plane(av, 0), max(1, bytes), by: original.owner, AV_BUFFER_FLAG_READONLY)
        else { throw SourceTrouble(.unreadable, words(for: qd_ENOMEM)) }
        qd_set_buffer(av, buffer)
    }
}
