import Commands
import Glibc
import Threads

/// The loop of the thread "desktop": waits for the buses and the mailbox, and serves each in turn.
final class DesktopLoop {
    /// Time between two tries to connect to a session's bus that is gone, in nanoseconds.
    static let retryInterval: Int64 = 5_000_000_000

    private let addresses: BusAddresses
    private let target: any ControlTarget
    private let mailbox: DesktopMailbox
    private let inhibitor: SleepInhibitor
    /// nil while the player is not to be listed, or the bus is gone.
    private var player: MediaPlayer?
    private var triesAgainAt: Int64 = 0
    private var wallHasChanged = false
    private var eventCame = false

    init(
        _ addresses: BusAddresses, _ target: any ControlTarget, _ mailbox: DesktopMailbox,
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.addresses, self.target, self.mailbox) = (addresses, target, mailbox)
        inhibitor = SleepInhibitor(addresses.system, report: report)
    }

    /// Returns when the mailbox is stopped. Then the name is released, and the machine may suspend.
    func run() {
        while true {
            let mail = mailbox.takeAll()
            for answer in mail.answers { player?.answer(answer) }
            if mail.isStopping { break }
            wallHasChanged = wallHasChanged || mail.hasChanged
            eventCame = eventCame || mail.hasEvent
            let now = monotonicNanoseconds()
            inhibitor.note(isPlaying: mail.isPlaying, at: now)
            inhibitor.process(at: now)
            follow(mail.listing, at: now)
            servePlayer(at: now)
            wait(mail.listing)
        }
        player = nil
        mailbox.set(isListed: false)
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
        mailbox.set(isListed: false)
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
                mailbox.set(isListed: true)
                return try player.compare(at: now)
            case .listed: break
            }
            guard let comparison = nextComparison(of: player), now >= comparison else { return }
            (wallHasChanged, eventCame) = (false, false)
            try player.compare(at: now)
        } catch {
            leave(until: now + Self.retryInterval)
        }
    }

    private func nextComparison(of player: MediaPlayer) -> Int64? {
        guard player.standing == .listed, wallHasChanged || eventCame else { return nil }
        return player.comparison(isAfterEvent: eventCame)
    }

    private func wait(_ listing: DesktopListing) {
        let connections = [player?.connection, inhibitor.connection].compactMap { $0 }
        var files = [pollfd(fd: mailbox.wakeFile, events: Int16(POLLIN), revents: 0)]
        files += connections.map { pollfd(fd: $0.file, events: $0.events, revents: 0) }
        var deadlines = [inhibitor.deadline, player?.connection.deadline, player.flatMap(nextComparison)]
        if player == nil, listing == .listed, addresses.session != nil { deadlines.append(triesAgainAt) }
        let deadline = deadlines.compactMap { $0 }.min()
        let timeout = deadline.map { max(0, ($0 - monotonicNanoseconds() + 999_999) / 1_000_000) } ?? -1
        poll(&files, nfds_t(files.count), Int32(clamping: timeout))
    }
}
