import Base

/// The one frame of an image file, or the first of a film, for posters.
public enum StillImage {
    /// Decodes the frame with a decoder of its own. `use` makes something smaller of the frame before the next image is
    /// decoded. May block as long as the source may.
    public static func load<Result>(
        _ source: Source, _ use: (CodecFrame) throws(SourceTrouble) -> Result
    ) throws(SourceTrouble) -> Result {
        try ImageDecoding.inTurn { () throws(SourceTrouble) in
            let decoder = try Decoder.open(for: source, threads: 1)
            let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
            guard case .frame(let frame) = try reader.next() else {
                throw SourceTrouble(.damaged, "there is no video in it")
            }
            return try use(frame.codecFrame)
        }
    }
}
