/// The words over a view: which, how they look, and how far their clock is.
public struct LyricsView: Sendable, Equatable {
    public var source: LyricsSource
    /// How often a file that they are read from has changed.
    public var version = 0
    public var layout: LyricsLayout
    /// Of the film that they stand over, as it is shown: scripts give the widths of their outlines in its pixels. Empty:
    /// not known.
    public var film = Size(0, 0)
    /// Whose part; nil: all.
    public var voice: Int?
    /// In the words' own time.
    public var time: Time
    /// How fast that goes on; 0: it stands.
    public var speed: Double

    public init(source: LyricsSource, layout: LyricsLayout, voice: Int? = nil, time: Time, speed: Double) {
        (self.source, self.layout, self.voice, self.time, self.speed) = (source, layout, voice, time, speed)
    }
}
