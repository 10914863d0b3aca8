/// An entry of a sequence.
public struct Item: Sendable, Hashable {
    /// One segment, or several in order, which are played as one item with one length.
    public var segments: [Segment]
    public var rate = Rate.one
    /// Number of rounds in all.
    public var rounds = 1
    /// Duration of a still image; nil means 5 s.
    public var duration: Time?
    public var audio = ItemAudio.track(1)
    /// Semitones by which its sound is raised, -12 to 12.
    public var key = 0
    /// Crop of the upright frame, before turn and flip.
    public var crop = Fractions.all
    public var turn = Turn.none
    public var flip = Flip.none
    /// Frames that are deinterlaced; nil if the layout does not state it.
    public var deinterlacing: Deinterlacing?
    /// Limit for adaptive streams in bits per second; nil means what fits the tile.
    public var maxBitrate: Int?
    /// Time by which network sources are read ahead.
    public var ahead = Time.seconds(5)
    /// Transition at the seam before it; nil means the tile's.
    public var transition: Transition?
    public var lyrics = ItemLyrics.unspecified
    /// File of the song, if the item was made from a song file; nil otherwise.
    public var song: String?
    /// Part of a duet that is shown, from 1 to 9; nil means all.
    public var voice: Int?

    public init(segments: [Segment]) { self.segments = segments }

    public struct Segment: Sendable, Hashable {
        /// An absolute path, a path relative to the working directory, or a URL. It can be opened as it is.
        public var source: String
        public var start = Time.zero
        /// nil means the end of the source.
        public var end: Time?
        public var rate = Rate.one
        /// Duration of a still image among other segments; nil means the item's.
        public var duration: Time?
        /// Time in the song at which the segment begins, from which the item's other sound and its lyrics count; nil
        /// means `start`.
        public var songStart: Time?
        public init(source: String) { self.source = source }

        /// Name of the source for display, without passwords.
        public var name: String { SourceName.withoutSecrets(source) }
    }
}
