import Commands
import Threads

/// The wall on the user's desktop: an MPRIS player on the session's bus, and an inhibitor of suspend at logind.
///
///     programs on the bus ─▶ MediaPlayer (methods, properties: BusInterface) ─▶ ControlTarget
///     other threads ─▶ DesktopMailbox ─▶ DesktopLoop (the thread "desktop") ─▶ Announcements ─▶ signals
///                                                                          ─▶ SleepInhibitor ─▶ logind
///
/// A bus that is not there, or goes away, is not reported. The player appears with it, and again when it is back. Any
/// thread may call any method but `stop`, which the owner calls. No call waits for a bus.
public final class DesktopService: Sendable {
    private let mailbox: DesktopMailbox
    private let worker: Worker

    /// Returns nil if there is neither bus at the start, or the system starts no further thread. `report` takes remarks
    /// for `--verbose`.
    public init?(
        _ target: any ControlTarget, _ listing: DesktopListing, on addresses: BusAddresses = .usual,
        report: @escaping @Sendable (String) -> Void
    ) {
        guard addresses.session != nil || addresses.system != nil, let mailbox = DesktopMailbox(listing) else {
            return nil
        }
        let worker = try? Worker("desktop") { DesktopLoop(addresses, target, mailbox, report: report).run() }
        guard let worker else { return nil }
        (self.mailbox, self.worker) = (mailbox, worker)
    }

    /// True while the player is listed.
    public var hasListeners: Bool { mailbox.isListed }

    /// Notes an event after which the position may have jumped.
    public func post(_ event: ControlEvent) { mailbox.eventCame() }

    /// Reports that the wall may have changed. The thread compares soon, at most ten times a second. Costs almost
    /// nothing while the player is not listed.
    public func propertiesChanged() { mailbox.wallHasChanged() }

    public func set(_ listing: DesktopListing) { mailbox.set(listing) }

    /// Notes whether a tile plays. The machine does not suspend meanwhile.
    public func set(isPlaying: Bool) { mailbox.set(isPlaying: isPlaying) }

    /// Leaves the buses and joins the thread. Called once, by the owner. Waits at most `limit` nanoseconds.
    public func stop(within limit: Int64 = 1_000_000_000) -> Worker.JoinResult {
        mailbox.stop()
        return worker.join(within: limit)
    }
}
