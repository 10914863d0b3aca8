import Base
import Layout
import Scene

// Frames as their item's look shows them. A frame is turned and flipped already.
extension ItemLook {
    /// The shown part of the frame as it was before turn and flip.
    private func part(of frame: Frame) -> Fractions { crop.part(of: frame.stored.turned(decoding.turn)) }

    /// The shown part of the frame.
    func finalCrop(of frame: Frame) -> Fractions { part(of: frame).turned(decoding.turn).flipped(decoding.flip) }

    /// Returns the part of the frame that is drawn in `rect`, and its place.
    func fitted(_ frame: Frame, _ fit: Fit, in rect: Rect) -> (crop: Fractions, target: Rect) {
        TileGeometry.fit(
            natural: frame.natural.turned(decoding.turn), turn: decoding.turn, flip: decoding.flip,
            crop: part(of: frame), fit: fit, rect: rect)
    }
}
