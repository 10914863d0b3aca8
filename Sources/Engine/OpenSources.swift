import Media
import Opened
import Threads

/// The open sources that the wall has, by identity. Any thread may use it.
///
/// A source is added in the change in which its opener hands it to the wall, and is taken out when the wall closes it.
/// Until then the wall lends the source to one pipeline at a time. Releasing the wall closes the sources that are left.
final class OpenSources: Sendable {
    private let state = Locked(State())

    private struct State {
        var sources: [OpenSourceID: Source] = [:]
        var count = 0
    }

    /// Returns the new identity of a source. `source`: nil for a sound input. The voice that plays the input opens it.
    func add(_ source: Source?) -> OpenSourceID {
        state.locked { state in
            let id = OpenSourceID(number: state.count)
            state.count += 1
            state.sources[id] = source
            return id
        }
    }

    /// The source; nil if it was taken out.
    subscript(id: OpenSourceID) -> Source? { state.locked { $0.sources[id] } }

    /// Takes sources out that the wall releases. The caller closes them, with nothing locked.
    func takeOut(_ ids: [OpenSourceID]) -> [Source] {
        ids.isEmpty ? [] : state.locked { state in ids.compactMap { state.sources.removeValue(forKey: $0) } }
    }
}
