import Commands
import Glibc
import Protocols
import Threads

/// The connections to both buses. Belongs to the thread "control".
final class DesktopServer: ControlProtocol {
    /// Time between two tries to connect to a session's bus that is gone, in nanoseconds.
    static let retryInterval: Int64 = 5_000_000_000

    private let addresses: BusAddresses
    private let target: any ControlTarget
    private let mailbox: ControlMailbox
    private let wishes: Locked<DesktopWishes>
    private let inhibitor: SleepInhibitor
    /// nil while the player is not to be listed, or the bus is gone.
    private var player: MediaPlayer?
    private var triesAgainAt: Int64 = 0
    private var wallHasChanged = false
    private var eventCame = false

    init(
        _ addresses: BusAddresses, _ target: any ControlTarget, _ mailbox: ControlMailbox,
        _ wishes: Locked<DesktopWishes>, report: @escaping @Sendable (String) -> Void
    ) {
        (self.addresses, self.target, self.mailbox, self.wishes) = (addresses, target, mailbox, wishes)
        inhibitor = SleepInhibitor(addresses.system, report: report)
    }

    var files: [pollfd] {
        [player?.connection, inhibitor.connection].compactMap(\.self).map {
            pollfd(fd: $0.file, events: $0.events, revents: 0)
        }
    }

    var deadline: Int64? {
        let isMissing = player == nil && addresses.session != nil && wishes.locked { $0.listing } == .listed
        let retry = isMissing ? triesAgainAt : nil
        return [inhibitor.deadline, player?.connection.deadline, player.flatMap(nextComparison), retry]
            .compactMap(\.self).min()
    }

    func serve(_ mail: ControlMail, ready: Set<Int32>) {
        for answer in mail.answers { player?.finish(answer) }
        let wishes = wishes.locked { $0 }, now = monotonicNanoseconds()
        if player?.standing == .listed {
            wallHasChanged = wallHasChanged || mail.havePropertiesChanged
            eventCame = eventCame || !mail.events.isEmpty
        }
        inhibitor.note(isPlaying: wishes.isPlaying, at: now)
        inhibitor.process(at: now)
        follow(wishes.listing, at: now)
        servePlayer(at: now)
    }

    /// Releases the name, and lets the machine suspend.
    func end() {
        player = nil
        inhibitor.release()
    }

    /// Connects to the session's bus, or leaves it.
    private func follow(_ listing: DesktopListing, at now: Int64) {
        guard listing == .listed, let address = addresses.session else {
            if player != nil { leave(until: now) }
            return
        }
        guard player == nil, now >= triesAgainAt else { return }
        player = try? MediaPlayer(address, target, mailbox)
        if player == nil { triesAgainAt = now + Self.retryInterval }
    }

    private func leave(until time: Int64) {
        (player, triesAgainAt) = (nil, time)
        mailbox.set([], of: self)
    }

    private func servePlayer(at now: Int64) {
        guard let player else { return }
        do throws(BusTrouble) {
            let before = player.standing
            try player.connection.process()
            switch player.standing {
            case .requestingName: return
            case .refused: return leave(until: now + Self.retryInterval)
            case .listed where before == .requestingName:
                // Set before the first comparison, so that later changes are posted.
                mailbox.set([.events, .changes], of: self)
                return try player.compare(at: now)
            case .listed: break
            }
            guard let comparison = nextComparison(of: player), now >= comparison else { return }
            (wallHasChanged, eventCame) = (false, false)
            try player.compare(at: now)
        } catch { leave(until: now + Self.retryInterval) }
    }

    private func nextComparison(of player: MediaPlayer) -> Int64? {
        guard player.standing == .listed, wallHasChanged || eventCame else { return nil }
        return player.comparison(isAfterEvent: eventCame)
    }
}
