import Base
import Scene

/// Reason why a file's sound can't be heard.
public enum SoundTrouble: Error, Hashable, Sendable {
    /// The file has this number of tracks, without the wanted one.
    case noTrack(tracks: Int)
    case source(SourceTrouble)

    /// The condition of a sound with this error.
    func condition(of source: String) -> SoundCondition {
        switch self {
        case .noTrack(let tracks): tracks > 0 ? .noTrack(tracks: tracks) : .soundless
        case .source(let trouble): .failed(source: source, trouble)
        }
    }

    /// True if another attempt would end the same way.
    var isLasting: Bool {
        switch self {
        case .noTrack: true
        case .source(let trouble): trouble.kind == .unsupported
        }
    }

    static func wrapping<Result>(_ body: () throws(SourceTrouble) -> Result) throws(SoundTrouble) -> Result {
        do throws(SourceTrouble) { return try body() } catch { throw .source(error) }
    }
}
