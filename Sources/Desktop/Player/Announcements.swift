/// Decides which signals programs on the bus must get, from one state of the player to the next.
///
/// Programs count the position themselves, from the last signal on. `Seeked` is sent when their count would be wrong:
/// after a loop, a seek, another item, and a wait for frames. Times are on CLOCK_MONOTONIC in nanoseconds.
struct Announcements {
    enum Signal: Hashable {
        case changed(interface: String, [BusField])
        case seeked(Int64)
    }

    private var sent: [String: [BusField]] = [:]
    private var counted: Count?

    /// Largest difference, in microseconds, between the position and the programs' count of it while the clock runs.
    static let tolerance: Int64 = 50_000
    /// The same while the clock stands: a frame is a step that programs show.
    static let toleranceOfPause: Int64 = 1_000

    /// A position that programs know, and how they count on from it.
    private struct Count {
        let track: NowPlaying
        let position: Int64
        let time: Int64

        var isMoving: Bool { track.motion == .playing || track.motion == .waiting }

        func position(at now: Int64) -> Int64 {
            isMoving ? position + Int64(Double(now - time) / 1000 * track.rate) : position
        }
    }

    /// Starts with this state, which programs read for themselves.
    init(_ state: PlayerState, at now: Int64) {
        for interface in BusInterface.all { sent[interface.name] = interface.announced(state) }
        counted = state.track.flatMap { track in track.position.map { Count(track: track, position: $0, time: now) } }
    }

    /// Returns the signals for a new state, in order.
    mutating func update(_ state: PlayerState, at now: Int64) -> [Signal] {
        BusInterface.all.compactMap { change(of: $0, state) } + (jump(state, at: now).map { [.seeked($0)] } ?? [])
    }

    private mutating func change(of interface: BusInterface, _ state: PlayerState) -> Signal? {
        let values = interface.announced(state)
        guard let before = sent[interface.name], before != values else { return nil }
        sent[interface.name] = values
        let changed = zip(before, values).filter { $0 != $1 }.map(\.1)
        // playerctl takes the status of another track from the signal that announces the track.
        let withStatus = changed.contains { $0.name == "Metadata" } && !changed.contains { $0.name == "PlaybackStatus" }
        return .changed(
            interface: interface.name, (withStatus ? values.filter { $0.name == "PlaybackStatus" } : []) + changed)
    }

    /// Returns the position if programs would count another one.
    private mutating func jump(_ state: PlayerState, at now: Int64) -> Int64? {
        guard let track = state.track, let position = track.position else {
            counted = nil
            return nil
        }
        let next = Count(track: track, position: position, time: now)
        guard let before = counted, before.track.trackID == track.trackID else {
            counted = next
            return position
        }
        // The position stands until the frames are there.
        if track.motion == .waiting { return nil }
        let tolerance = next.isMoving || before.isMoving ? Self.tolerance : Self.toleranceOfPause
        let isWrong = abs(position - before.position(at: now)) > tolerance
        if isWrong || track.rate != before.track.rate || next.isMoving != before.isMoving { counted = next }
        return isWrong ? position : nil
    }
}

extension BusInterface {
    fileprivate func announced(_ state: PlayerState) -> [BusField] {
        properties.filter { $0.change == .announced }.map { BusField($0.name, $0.get(state)) }
    }
}
