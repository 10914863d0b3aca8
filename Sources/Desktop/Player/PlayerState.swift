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
