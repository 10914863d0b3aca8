import Base

/// The one frame of an image file, or the first of a film, for posters.
public enum StillImage {
    /// Decodes the frame with a decoder of its own. `use` makes something smaller of the frame before the next image is
    /// decoded. May block as long as the source may. Throws if an image of a server lacks a part (`mustBeWhole`).
    public static func load<Result>(
        _ source: Source, _ use: (CodecFrame) throws(SourceTrouble) -> Result
    ) throws(SourceTrouble) -> Result {
        try ImageDecoding.inTurn { () throws(SourceTrouble) in
            let decoder = try Decoder(for: source, threads: 1)
            let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
            let step: FrameReader.Step
            do throws(SourceTrouble) { step = try reader.next() } catch {
                throw source.mustBeWhole && error.kind == .damaged ? lack : error
            }
            guard case .frame(let frame) = step else {
                throw SourceTrouble(.damaged, "there is no video in it")
            }
            if source.mustBeWhole, frame.codecFrame.isBroken { throw lack }
            return try use(frame.codecFrame)
        }
    }

    private static let lack = SourceTrouble(.damaged, "a part of the image is missing or damaged")
}
