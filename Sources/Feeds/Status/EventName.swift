/// The events by name, in the order in which messages list them. The trace can record each of them.
///
/// `EventRecord` declares the fields of those that the player emits. The program itself writes `start`, `sums` and
/// `end`.
public enum EventName: Int, CaseIterable, Sendable {
    case start, picture, seam, lease, release, seat, focus, pip, clock, giveWay, itemStart, itemEnd, itemStands, idle
    case reload, schedule, `break`, take, monitor, trouble, stale, frozen, recovered, sums, end

    /// The part of an event that the socket's clients get.
    public enum Sending: Sendable {
        case nothing
        /// mpv's events in its place, for the focused tile.
        case asMPV
        /// The event for every tile, and with it mpv's events for the focused tile, if mpv has any.
        case whole
    }

    private var declaration: (text: String, sending: Sending) {
        switch self {
        case .start: ("start", .nothing)
        case .picture: ("picture", .nothing)
        case .seam: ("seam", .whole)
        case .lease: ("lease", .nothing)
        case .release: ("release", .nothing)
        case .seat: ("seat", .nothing)
        case .focus: ("focus", .nothing)
        case .pip: ("pip", .nothing)
        case .clock: ("clock", .asMPV)
        case .giveWay: ("give-way", .nothing)
        case .itemStart: ("item-start", .whole)
        case .itemEnd: ("item-end", .whole)
        case .itemStands: ("item-stands", .nothing)
        case .idle: ("idle", .asMPV)
        case .reload: ("reload", .whole)
        case .schedule: ("schedule", .whole)
        case .break: ("break", .whole)
        case .take: ("take", .whole)
        case .monitor: ("monitor", .nothing)
        case .trouble: ("trouble", .whole)
        case .stale: ("stale", .whole)
        case .frozen: ("frozen", .whole)
        case .recovered: ("recovered", .whole)
        case .sums: ("sums", .nothing)
        case .end: ("end", .nothing)
        }
    }

    /// Name in the trace, and on the socket if it is sent there.
    public var text: String { declaration.text }
    public var sending: Sending { declaration.sending }

    /// Returns nil if no event has that name.
    public init?(_ text: some StringProtocol) {
        guard let name = Self.allCases.first(where: { $0.text == text }) else { return nil }
        self = name
    }

    /// Events of every tile that the socket sends under their own names, and that mpv lacks.
    public static let sentWhole = allCases.filter { $0.sending == .whole }
}

/// A set of events. A lookup neither hashes nor follows a pointer, because events are filtered for each frame.
public struct EventNames: Sendable {
    private var bits: UInt64 = 0

    public static let all = EventNames(EventName.allCases)
    /// Events of which the socket sends something.
    static let sent = EventNames(EventName.allCases.filter { $0.sending != .nothing })

    public init(_ names: some Sequence<EventName>) { for name in names { bits |= Self.bit(of: name) } }

    public func contains(_ name: EventName) -> Bool { bits & Self.bit(of: name) != 0 }

    private static func bit(of name: EventName) -> UInt64 { 1 << UInt64(name.rawValue) }
}
