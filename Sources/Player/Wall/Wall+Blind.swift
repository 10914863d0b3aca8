import Base
import Commands

// Blind test: a wall with one tile that compares two clips in turn. Selects the visible clip and counts the answers.
extension Wall {
    /// Commands of keys and pointer on this wall.
    public var keys: KeyTable { blindTest != nil ? .blind : eyeTest != nil ? .byEye : .wall }

    /// Starts a blind test. X, which is one of the two clips, is shown first.
    public mutating func begin(_ test: BlindTest, at now: Time) {
        change(at: now) { changed in
            changed.blindTest = test
            changed.showSight()
            changed.showNotice("trial 1 of \(test.count); h: the keys", at: now)
        }
    }

    mutating func blind(_ change: Command.Blind, at now: Time) -> Bool {
        guard var test = blindTest else { return false }
        switch change {
        case .show(let sight): test.show(sight)
        case .answer:
            guard showsBlindTest else {
                showNotice("one of the clips can't be shown", at: now)
                return false
            }
            switch test.answer(at: now) {
            case .none: showNotice("this is X: see A or B (keys a and b), then Enter", at: now)
            case .next: showNotice("trial \(test.trials.count + 1) of \(test.count)", at: now)
            case .over: effects.window(.quit(0))
            }
        }
        blindTest = test
        showSight()
        effects.wakeScreen()
        return true
    }

    private mutating func showSight() {
        guard let test = blindTest, let tile = tiles.comparing.first else { return }
        tiles[tile].comparison!.side = test.seen == .a ? 0 : 1
    }

    /// True if the frames of both clips are there. Otherwise nothing is shown: a single frame would reveal its clip.
    var showsBlindTest: Bool { tiles.comparing.allSatisfy { tiles[$0].comparison!.shown.count == 2 } }
}
