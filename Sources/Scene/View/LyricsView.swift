import Base
import Lyrics

/// Lyrics over a view: their source, look and clock.
///
/// A view carries the source of its lyrics and their clock; everything else happens in Screen. A song's file becomes an
/// item before the layout is applied (`PlayedSources`, `SongFiles`). Its segments have a `songStart`, from which its
/// sound and its words count.
public struct LyricsView: Sendable, Equatable {
    public var source: LyricsSource
    /// Number of times that a file of the lyrics has changed.
    public var version = 0
    public var layout: LyricsLayout
    /// Size of the film beneath, as it is shown; empty if unknown. Scripts state outline widths in pixels of the film.
    public var film = Size(0, 0)
    /// Voice to show; nil for all.
    public var voice: Int?
    /// Time on the lyrics' own timeline.
    public var time: Time
    /// Rate at which `time` advances; 0 while it is paused.
    public var speed: Double

    public init(source: LyricsSource, layout: LyricsLayout, voice: Int? = nil, time: Time, speed: Double) {
        (self.source, self.layout, self.voice, self.time, self.speed) = (source, layout, voice, time, speed)
    }
}
