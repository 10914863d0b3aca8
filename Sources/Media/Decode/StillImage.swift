import WallCore

/// The one picture of an image file, or the first of a film, for posters.
public enum StillImage {
    /// Opens a decoder for it, and closes it; `use` makes something smaller of the picture before the next image is
    /// decoded. May block as long as the source may.
    public static func load<Result>(
        _ source: Source, _ use: (CodecFrame) throws(SourceTrouble) -> Result
    ) throws(SourceTrouble) -> Result {
        try ImageDecoding.inTurn { () throws(SourceTrouble) in
            let decoder = try Decoder.open(for: source, threads: 1)
            let reader = PictureReader(source: source, decoder: decoder, from: .zero, until: nil)
            guard case .picture(let picture) = try reader.next() else {
                throw SourceTrouble(.damaged, "there is no picture in it")
            }
            return try use(picture.codecFrame)
        }
    }
}
