import Base
import Decoded
import Feeds
import Opened

/// Report of a pipeline on its lease.
public enum LeaseReport: Sendable {
    /// The run was read to its end. `at`: that end in media time, nil if the run was cut off. `damages`: damage seen in
    /// reading. nil if the run was not read from its beginning: a decoder that starts later may lack reference frames.
    /// `keeping`: source that is kept for another run. `closing`: source that is closed.
    case ended(at: Time?, damages: Set<FilmDamage>? = nil, keeping: OpenSourceID?, closing: OpenSourceID? = nil)
    /// The pipeline gives the source back in the middle of the run. Another pipeline continues from its position.
    case givenBack(OpenSourceID)
    /// The source failed.
    case failed(SourceTrouble, closing: OpenSourceID? = nil)
    /// Cost of some of the run's frames.
    case cost(DecodeCost)
    /// Delay of a live source's sound against its frames.
    case soundLag(Time)
    /// The pipeline opened or closed its decoder, or continued with the one it had.
    case decoder(DecoderChange)
}
