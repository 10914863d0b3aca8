import Base
import Commands

/// The wall as its MPRIS player shows it, at one instant.
struct PlayerState: Hashable, Sendable {
    /// nil if the focused tile plays nothing.
    var track: NowPlaying?
    /// Volume of the wall, from 0 to 1.
    var volume = 1.0
    var isFullscreen = false
    /// True from the method Stop on until the clock runs again.
    var isStopped = false

    static let rates = 0.25...4.0

    enum Status: String { case playing = "Playing", paused = "Paused", stopped = "Stopped" }

    /// A player that waits for frames plays: it goes on by itself.
    var status: Status {
        switch track?.motion {
        case .playing, .waiting: .playing
        case .paused: isStopped ? .stopped : .paused
        case .ended, nil: .stopped
        }
    }

    /// Facts of the track under the names of MPRIS and XESAM; empty without a track.
    var metadata: [BusField] {
        guard let track else { return [] }
        var fields = [BusField("mpris:trackid", .path(track.trackID))]
        if let length = track.length { fields.append(BusField("mpris:length", .integer(length))) }
        if let url = track.artURL { fields.append(BusField("mpris:artUrl", .text(url))) }
        fields.append(BusField("xesam:title", .text(track.title)))
        if let album = track.album { fields.append(BusField("xesam:album", .text(album))) }
        if let artist = track.artist { fields.append(BusField("xesam:artist", .texts([artist]))) }
        return fields + [BusField("xesam:url", .text(track.url))]
    }
}

extension PlayerState {
    /// Reads the properties of the wall. Takes microseconds.
    init(of target: any ControlTarget) {
        func value(_ name: String) -> PropertyValue? { try? target.property(name).get() }
        track = value("now-playing").flatMap(NowPlaying.init)
        volume = (value("volume")?.asNumber ?? 100) / 100
        isFullscreen = value("fullscreen")?.asFlag ?? false
    }
}

/// An effect of a method or of a property that was set.
enum PlayerAction: Hashable, Sendable {
    case command(String, [PropertyValue] = [])
    case set(String, PropertyValue)
    /// From now on the paused wall is shown as stopped.
    case stop
}

/// The item that the focused tile plays, from the property `now-playing`. Times are in microseconds.
struct NowPlaying: Hashable, Sendable {
    /// Path of an object that no other item of this wall has. The rounds of an item share it.
    let trackID: String
    let title: String
    let url: String
    var artist: String?
    var album: String?
    var artURL: String?
    /// nil if the source has no beginning or no end.
    var position: Int64?
    var length: Int64?
    let motion: Motion
    let rate: Double
    let loop: Loop
    let hasNext: Bool
    let hasPrevious: Bool

    enum Motion: String, Sendable {
        case playing
        /// The clock stands until frames are there, then goes on.
        case waiting
        case paused
        /// The sequence is over; its last frame stays.
        case ended
    }

    /// Loop by MPRIS's names.
    enum Loop: String, Sendable { case none = "None", file = "Track", playlist = "Playlist" }

    /// nil unless `value` is the property's object.
    init?(_ value: PropertyValue) {
        func text(_ name: String) -> String? { value[name]?.asText }
        func microseconds(_ name: String) -> Int64? {
            value[name]?.asNumber.flatMap { Int64(exactly: ($0 * 1_000_000).rounded()) }
        }
        guard let tile = text("tile"), let place = text("place"), let path = text("path"),
            let motion = text("state").flatMap(Motion.init(rawValue:))
        else { return nil }
        trackID = Self.trackID(of: [tile, place, String(Self.hash(path), radix: 16)])
        (title, url) = (text("title") ?? path, FileURL.url(of: path))
        (artist, album) = (text("artist"), text("album"))
        artURL = text("poster").flatMap { SourceName.path(of: $0) == nil ? nil : FileURL.url(of: $0) }
        (position, length) = (microseconds("position"), microseconds("duration"))
        (self.motion, rate) = (motion, value["speed"]?.asNumber ?? 1)
        loop = ["file": .file, "playlist": .playlist][text("loop") ?? ""] ?? Loop.none
        (hasNext, hasPrevious) = (value["next"]?.asFlag == true, value["previous"]?.asFlag == true)
    }

    var isPaused: Bool { motion == .paused }
    var canSeek: Bool { position != nil && length != nil }

    /// A part of an object's path has letters and digits of ASCII and `_` only.
    private static func trackID(of parts: [String]) -> String {
        let escaped = parts.map { part in
            part.utf8.reduce(into: "") { text, byte in
                text += isLetter(byte) || isDigit(byte) ? String(Unicode.Scalar(byte)) : "_" + String(byte, radix: 16)
            }
        }
        return "/quadrille/" + escaped.map { $0.isEmpty ? "_" : $0 }.joined(separator: "/")
    }

    /// FNV-1a: the same item has the same hash in each start of the program.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
