/// The events by name, in the order in which messages list them. The trace can record each of them.
///
/// `EventRecord` declares the fields of those that the player emits. The program itself writes `start`, `sums` and
/// `end`.
public enum EventName: Int, CaseIterable, Sendable {
    case start, picture, seam, lease, release, seat, focus, pip, clock, giveWay, itemStart, itemEnd, itemLeft
    case itemStands, idle
    case reload, schedule, `break`, take, monitor, trouble, stale, frozen, recovered, sums, end

    /// The part of an event that the socket's clients get.
    public enum Sending: Sendable {
        case nothing
        /// mpv's events in its place, for the focused tile.
        case asMPV
        /// The event for every tile, and with it mpv's events for the focused tile, if mpv has any.
        case whole
    }

    private var declaration: (text: String, sending: Sending, help: String) {
        switch self {
        case .start: ("start", .nothing, "the wall begins: canvas and tiles")
        case .picture: ("picture", .nothing, "a frame was put on the screen, and when it was due")
        case .seam: ("seam", .whole, "the first frame of the next clip: how it came to follow, and how late")
        case .lease: ("lease", .nothing, "a decoder was lent to a tile")
        case .release: ("release", .nothing, "a decoder was given back")
        case .seat: ("seat", .nothing, "a tile may play, or gave its seat to another tile")
        case .focus: ("focus", .nothing, "another tile has the focus")
        case .pip: ("pip", .nothing, "picture in picture: will-start, started, will-stop, stopped, failed")
        case .clock: ("clock", .asMPV, "a group's clock runs, is paused, or waits for frames")
        case .giveWay: ("give-way", .nothing, "a tile degrades or recovers: the wall can't keep up, or can again")
        case .itemStart: ("item-start", .whole, "a tile's item is on the screen")
        case .itemEnd: ("item-end", .whole, "a tile's item is over: why, and how many frames were shown and missed")
        case .itemLeft: ("item-left", .nothing, "an item that a break interrupted does not go on")
        case .itemStands: ("item-stands", .nothing, "a still has been on the screen for an hour, and stays")
        case .idle: ("idle", .asMPV, "a tile has nothing to play any more")
        case .reload: ("reload", .whole, "another layout was applied, or refused with this many mistakes")
        case .schedule: ("schedule", .whole, "the schedule shows another entry from now on")
        case .break: ("break", .whole, "a break has started, or has ended")
        case .take: ("take", .whole, "a recording has started, has ended, or has failed")
        case .monitor: ("monitor", .nothing, "delay after which the singer hears the microphone")
        case .trouble: ("trouble", .whole, "a source can't be played: its kind, and what is wrong")
        case .stale: ("stale", .whole, "no new frame of a live source came for the tile's stale-after")
        case .frozen: ("frozen", .whole, "the frames of a live source were identical for the tile's frozen-after")
        case .recovered: ("recovered", .whole, "a source in trouble, stale or frozen plays again")
        case .sums: ("sums", .nothing, "every ten minutes: how many frames each tile showed, missed and showed late")
        case .end: ("end", .nothing, "the same, when the wall ends")
        }
    }

    /// Name in the trace, and on the socket if it is sent there.
    public var text: String { declaration.text }
    public var sending: Sending { declaration.sending }
    /// One line for lists of events.
    public var help: String { declaration.help }

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
