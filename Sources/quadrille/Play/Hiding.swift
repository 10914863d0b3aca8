import Base
import Layout
import Player

/// Decides how much of a wall that is not visible rests. Minimised, the wall runs on, makes only sound, or pauses.
/// While the screen is switched off, the whole wall rests.
struct Hiding {
    private var policy: Hidden
    private var isHidden = false
    private var screen = Screen.on
    private var rest = Rest.none

    /// Part of the wall that rests.
    fileprivate enum Rest { case none, frames, clocks, all }

    /// `warming`: the screen is about to be switched on, and frames are decoded for it.
    enum Screen { case on, warming, off }

    init(_ policy: Hidden) { self.policy = policy }

    /// Takes effect when the window is hidden or shown next.
    mutating func setPolicy(_ policy: Hidden) { self.policy = policy }

    mutating func hide(_ wall: inout Wall, at now: Time) {
        isHidden = true
        settle(&wall, at: now)
    }

    mutating func show(_ wall: inout Wall, at now: Time) {
        isHidden = false
        settle(&wall, at: now)
    }

    mutating func screenIs(_ screen: Screen, _ wall: inout Wall, at now: Time) {
        self.screen = screen
        settle(&wall, at: now)
    }

    private var wanted: Rest {
        switch (screen, policy) {
        case (.off, _): .all
        case (.warming, _): .clocks
        case (.on, .sound) where isHidden: .frames
        case (.on, .pause) where isHidden: .clocks
        case (.on, _): .none
        }
    }

    private mutating func settle(_ wall: inout Wall, at now: Time) {
        let (before, after) = (rest, wanted)
        rest = after
        guard before != after else { return }
        if before.hasFrames != after.hasFrames {
            wall.player.note(.frames(after.hasFrames ? .all : .none), at: now)
        }
        if before.hasClocks != after.hasClocks {
            if after.hasClocks { wall.player.note(.restEnded, at: now) } else { wall.player.note(.restBegan, at: now) }
        }
    }
}

extension Hiding.Rest {
    fileprivate var hasFrames: Bool { self == .none || self == .clocks }
    fileprivate var hasClocks: Bool { self == .none || self == .frames }
}
