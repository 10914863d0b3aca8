import Threads

/// Decides when the sound server may sleep: nothing has played for two seconds. Used by the sound director's thread.
struct SpeakerRest {
    /// Time since which nothing has played; nil while something does.
    private var quietSince: Int64?
    private(set) var isResting = false

    private static let after: Int64 = 2_000_000_000

    enum Activity { case playing, quiet }

    /// Returns the notice for the program, if the rest begins or ends.
    mutating func note(_ activity: Activity) -> SoundDirector.Notice? {
        let now = monotonicNanoseconds()
        switch activity {
        case .playing:
            quietSince = nil
            defer { isResting = false }
            return isResting ? .wake : nil
        case .quiet:
            guard let quietSince else {
                quietSince = now
                return nil
            }
            guard !isResting, now - quietSince > Self.after else { return nil }
            isResting = true
            return .rest
        }
    }
}
