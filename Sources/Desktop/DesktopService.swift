import Commands
import Files
import Glibc
import Protocols
import Threads

/// Whether programs on the session's bus find the player.
public enum DesktopListing: Sendable { case listed, absent }

/// State of the program that the buses follow.
struct DesktopWishes: Equatable {
    var listing: DesktopListing
    var isPlaying = false
}

/// The wall on the user's desktop: an MPRIS player on the session's bus, and an inhibitor of suspend at logind.
///
///     programs on the bus ─▶ MediaPlayer (methods, properties: BusInterface) ─▶ ControlTarget
///     ProtocolLoop (the thread "control") ─▶ DesktopServer ─▶ Announcements ─▶ signals
///                                                          ─▶ SleepInhibitor ─▶ logind
///
/// A bus that is not there, or goes away, is not reported. The player appears with it, and again when it is back. Any
/// thread may call any method. No call waits for a bus.
public final class DesktopService: Sendable {
    private let mailbox: ControlMailbox
    private let wishes: Locked<DesktopWishes>

    /// Returns nil if there is neither bus at the start, or the system starts no further thread. `report` takes remarks
    /// for `--verbose`.
    public init?(
        _ target: any ControlTarget, _ listing: DesktopListing, on addresses: BusAddresses = .usual,
        _ loop: ProtocolLoop, report: @escaping @Sendable (String) -> Void
    ) {
        guard addresses.session != nil || addresses.system != nil else { return nil }
        (mailbox, wishes) = (loop.mailbox, Locked(DesktopWishes(listing: listing)))
        do throws(NoThread) {
            try loop.add { [wishes] in DesktopServer(addresses, target, $0, wishes, report: report) }
        } catch { return nil }
    }

    public func set(_ listing: DesktopListing) { change { $0.listing = listing } }

    /// Notes whether a tile plays. The machine does not suspend meanwhile.
    public func set(isPlaying: Bool) { change { $0.isPlaying = isPlaying } }

    private func change(_ body: (inout DesktopWishes) -> Void) {
        let isChanged = wishes.locked { wishes in
            let before = wishes
            body(&wishes)
            return wishes != before
        }
        if isChanged { mailbox.wake() }
    }
}

/// Addresses of the buses that this process may use; nil if there is no such bus.
public struct BusAddresses: Hashable, Sendable {
    public var session: String?
    public var system: String?

    /// Addresses that the environment names, else those of the sockets in their usual places.
    public static var usual: BusAddresses {
        BusAddresses(
            session: environment("DBUS_SESSION_BUS_ADDRESS")
                ?? environment("XDG_RUNTIME_DIR").flatMap { address(ofSocket: $0 + "/bus") },
            system: environment("DBUS_SYSTEM_BUS_ADDRESS") ?? address(ofSocket: "/run/dbus/system_bus_socket"))
    }

    private static func address(ofSocket path: String) -> String? {
        access(path, F_OK) == 0 ? "unix:path=" + FileURL.escaped(path) : nil
    }
}
