import Base
import Commands

// The interfaces of MPRIS 2.2 that the wall has.

extension BusInterface {
    static let all = [root, player]

    static let root = BusInterface(
        name: "org.mpris.MediaPlayer2",
        properties: [
            BusProperty("CanQuit", always: .flag(true)),
            BusProperty(
                "Fullscreen", "b", get: { .flag($0.isFullscreen) },
                set: { value, _ in [.set("fullscreen", .flag(value.asFlag ?? false))] }),
            BusProperty("CanSetFullscreen", always: .flag(true)),
            BusProperty("CanRaise", always: .flag(true)),
            BusProperty("HasTrackList", always: .flag(false)),
            BusProperty("Identity", always: .text("Quadrille")),
            BusProperty("DesktopEntry", always: .text("quadrille")),
            BusProperty(
                "SupportedUriSchemes",
                always: .texts(SourceName.schemes.filter { !DeviceAddress.isDevice("\($0)://") })),
            BusProperty("SupportedMimeTypes", always: .texts(mediaTypes)),
        ],
        methods: [
            BusMethod("Raise") { _ in [.command("raise")] },
            BusMethod("Quit") { _ in [.command("quit")] },
        ])

    /// The types of assets/desktop/quadrille.desktop, without that of layouts.
    static let mediaTypes = [
        "video/mp4", "video/webm", "video/x-matroska", "video/quicktime", "video/x-msvideo", "video/mp2t", "video/mpeg",
        "video/ogg", "video/x-flv", "video/x-ms-wmv", "video/3gpp", "video/x-m4v", "application/mxf",
    ]

    static let player = BusInterface(
        name: "org.mpris.MediaPlayer2.Player",
        properties: [
            BusProperty("PlaybackStatus", "s", get: { .text($0.status.rawValue) }),
            BusProperty("LoopStatus", "s", get: { .text(($0.track?.loop ?? .none).rawValue) }, set: setLoop),
            BusProperty("Rate", "d", get: { .number($0.track?.rate ?? 1) }, set: setRate),
            BusProperty("Metadata", "a{sv}", get: { .fields($0.metadata) }),
            BusProperty(
                "Volume", "d", get: { .number($0.volume) },
                set: { value, _ in value.asNumber.map { [.set("volume", .number(min(1, max(0, $0)) * 100))] } ?? [] }),
            BusProperty("Position", "x", .silent, get: { .integer($0.track?.position ?? 0) }),
            BusProperty("MinimumRate", always: .number(PlayerState.rates.lowerBound)),
            BusProperty("MaximumRate", always: .number(PlayerState.rates.upperBound)),
            BusProperty("CanGoNext", "b", get: { .flag($0.track?.hasNext == true) }),
            BusProperty("CanGoPrevious", "b", get: { .flag($0.track?.hasPrevious == true) }),
            BusProperty("CanPlay", "b", get: { .flag($0.track != nil) }),
            BusProperty("CanPause", "b", get: { .flag($0.track != nil) }),
            BusProperty("CanSeek", "b", get: { .flag($0.track?.canSeek == true) }),
            BusProperty("CanControl", always: .flag(true)),
        ],
        methods: [
            BusMethod("Next") { $0.track?.hasNext == true ? [.command("playlist-next")] : [] },
            BusMethod("Previous") { $0.track?.hasPrevious == true ? [.command("playlist-prev")] : [] },
            BusMethod("Pause") { $0.track == nil ? [] : [.set("pause", .flag(true))] },
            BusMethod("PlayPause") { $0.status == .playing ? [.set("pause", .flag(true))] : play($0) },
            BusMethod("Stop", stop),
            BusMethod("Play", play),
            BusMethod("Seek", [("Offset", "x")]) { arguments, state in
                guard case .integer(let offset) = arguments[0] else { return [] }
                return seek(by: offset, state)
            },
            BusMethod("SetPosition", [("TrackId", "o"), ("Position", "x")]) { arguments, state in
                guard case .path(let track) = arguments[0], case .integer(let position) = arguments[1] else {
                    return []
                }
                return setPosition(position, of: track, state)
            },
            BusMethod("OpenUri", [("Uri", "s")]) { arguments, _ throws(ControlError) in
                try open(arguments[0].asText ?? "")
            },
        ],
        signals: [("Seeked", [("Position", "x")])])

    // MARK: actions

    /// A sequence that is over begins anew.
    @Sendable private static func play(_ state: PlayerState) -> [PlayerAction] {
        guard let track = state.track else { return [] }
        return (track.motion == .ended ? [.command("home")] : []) + [.set("pause", .flag(false))]
    }

    /// Pauses at the start of the item. mpv's `stop` would empty the sequence, and Play would have nothing to play.
    @Sendable private static func stop(_ state: PlayerState) -> [PlayerAction] {
        guard let track = state.track else { return [] }
        return [.set("pause", .flag(true)), .stop] + (track.canSeek ? [seek(to: 0)] : [])
    }

    /// Stops at the start of the item. Beyond its end the next item begins.
    private static func seek(by offset: Int64, _ state: PlayerState) -> [PlayerAction] {
        guard let track = state.track, let position = track.position, let length = track.length else { return [] }
        let (target, isTooMuch) = position.addingReportingOverflow(offset)
        if offset < 0 { return [seek(to: isTooMuch ? 0 : max(0, target))] }
        guard isTooMuch || target > length else { return [seek(to: target)] }
        return track.hasNext ? [.command("playlist-next")] : [seek(to: length)]
    }

    /// A call that comes too late, for a track that is over, has no effect.
    private static func setPosition(_ position: Int64, of track: String, _ state: PlayerState) -> [PlayerAction] {
        guard let present = state.track, present.trackID == track, let length = present.length, present.canSeek,
            (0...length).contains(position)
        else { return [] }
        return [seek(to: position)]
    }

    private static func seek(to microseconds: Int64) -> PlayerAction {
        .command("seek", [.number(Double(microseconds) / 1_000_000), .text("absolute")])
    }

    private static func open(_ url: String) throws(ControlError) -> [PlayerAction] {
        guard let source = FileURL.source(of: url), !source.isEmpty else {
            throw ControlError(.loadingFailed, because: "\(url.quoted) names no file of this machine")
        }
        return [.command("loadfile", [.text(source), .text("replace")]), .set("pause", .flag(false))]
    }

    @Sendable private static func setLoop(_ value: BusValue, _ state: PlayerState) -> [PlayerAction] {
        guard state.track != nil, let loop = value.asText.flatMap(NowPlaying.Loop.init(rawValue:)) else { return [] }
        switch loop {
        case .file: return [.set("loop-file", .text("inf"))]
        case .playlist: return [.set("loop-file", .flag(false)), .set("loop-playlist", .text("inf"))]
        case .none: return [.set("loop-file", .flag(false)), .set("loop-playlist", .flag(false))]
        }
    }

    /// A rate of 0 pauses, as MPRIS specifies.
    @Sendable private static func setRate(_ value: BusValue, _ state: PlayerState) -> [PlayerAction] {
        guard state.track != nil, let rate = value.asNumber, rate >= 0 else { return [] }
        if rate == 0 { return [.set("pause", .flag(true))] }
        let bounds = PlayerState.rates
        return [.set("speed", .number(min(bounds.upperBound, max(bounds.lowerBound, rate))))]
    }
}
