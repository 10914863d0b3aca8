/// Changes of the player that features follow.
struct PlayerChanges: OptionSet, Sendable {
    let rawValue: UInt8

    /// A frame was decoded, a pipeline has reported on its lease, or the recorder has taken the recorded frames.
    static let frames = PlayerChanges(rawValue: 1)
    /// Frames were chosen for a scene, or are on the screen.
    static let scenes = PlayerChanges(rawValue: 2)
    /// An event was emitted.
    static let events = PlayerChanges(rawValue: 4)
    /// The player was updated, or changed by anything else than frames and scenes.
    static let state = PlayerChanges(rawValue: 8)
    static let all: PlayerChanges = [.frames, .scenes, .events, .state]
}
