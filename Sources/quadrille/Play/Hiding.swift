import Media
import WallCore

/// What becomes of a wall that is minimised: it runs on, makes only sound, or pauses.
struct Hiding {
    private let policy: Hidden
    private var isHidden = false

    init(_ policy: Hidden) { self.policy = policy }

    mutating func hide(_ wall: inout Wall, at now: Time) {
        guard !isHidden else { return }
        isHidden = true
        switch policy {
        case .run: break
        case .sound: wall.setPictures(.none, at: now)
        case .pause: wall.suspend(at: now)
        }
    }

    mutating func show(_ wall: inout Wall, at now: Time) {
        guard isHidden else { return }
        isHidden = false
        switch policy {
        case .run: break
        case .sound: wall.setPictures(.all, at: now)
        case .pause: wall.resume(at: now)
        }
    }
}
