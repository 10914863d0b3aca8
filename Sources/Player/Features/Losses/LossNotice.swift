import Base
import Commands

/// Names on the wall the tiles whose live sources are lost while another tile covers them.
struct LossNotice: Feature {
    /// Number of the events that were read.
    private var noted = 0
    /// Names of the tiles in the notice, in the order of their losses, while the notice is shown.
    private var lost: [String] = []
    /// Wall time at which the notice disappears.
    private var until = Time.zero

    private static var stays: Time { .seconds(10) }
    /// Most names in the notice.
    private static var mostNames: Int { 4 }

    var follows: PlayerChanges { .events }

    mutating func react(to player: PlayerCore, at now: Time) -> [Change] {
        let events = player.outbox.events(after: noted)
        noted = player.outbox.emitted
        var changes: [Change] = []
        for event in events {
            switch event.what {
            case .stale(let name, _, _) where isCovered(name, player):
                if now >= until { lost = [] }
                lost.append(name)
                until = now + Self.stays
            case .recovered(let name, _, _, .absence) where now < until && lost.contains(name):
                lost.removeAll { $0 == name }
            default: continue
            }
            changes = [.announce(text, for: until - now)]
        }
        return changes
    }

    /// Text of the notice; nil without lost tiles.
    private var text: String? {
        if lost.isEmpty { return nil }
        let names = lost.prefix(Self.mostNames).joined(separator: ", "), others = lost.count - Self.mostNames
        return "no new frame: \(names)" + (others > 0 ? " and \(others) more" : "")
    }

    /// True if another tile covers the tile of this name, and the layout shows messages.
    private func isCovered(_ name: String, _ player: PlayerCore) -> Bool {
        guard let covering = player.output.covering, !player.layout.hidesMessages,
            let tile = player.tiles.id(named: name)
        else { return false }
        return player.tiles[tile].feed != player.tiles[covering].feed
    }
}
