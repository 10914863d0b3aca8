extension Item {
    /// Sources that an item plays.
    public enum Content: Sendable, Hashable {
        /// A film, an image, a sound or a stream. Only the opened source tells which.
        case media(Segment)
        /// Two or more segments, played as one item with one length.
        case joined(Segments)
        case song(Song)

        /// Content of these segments that is not a song.
        public init(_ segments: Segments) {
            self = segments.count == 1 ? .media(segments.first) : .joined(segments)
        }

        public var segments: Segments {
            get {
                switch self {
                case .media(let segment): Segments(segment)
                case .joined(let segments): segments
                case .song(let song): song.segments
                }
            }
            set {
                switch self {
                case .media, .joined: self = Content(newValue)
                case .song(var song):
                    song.segments = newValue
                    self = .song(song)
                }
            }
        }
    }

    /// One stretch of one source.
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

    /// Segments in the order in which they are played. There is always a first one.
    public struct Segments: Sendable, Hashable {
        public var first: Segment
        /// Segments after the first.
        private var others: [Segment]

        public init(_ first: Segment, _ others: [Segment] = []) { (self.first, self.others) = (first, others) }

        /// nil if there are none.
        public init?(_ segments: some Collection<Segment>) {
            guard let first = segments.first else { return nil }
            self.init(first, Array(segments.dropFirst()))
        }

        public var last: Segment { others.last ?? first }

        public mutating func append(_ segment: Segment) { others.append(segment) }
    }

    /// A song that was made from a song file.
    public struct Song: Sendable, Hashable {
        public var file: String
        /// Its video, with its image before and after it; otherwise its image or its sound.
        public var segments: Segments
        /// Title and artist that the song's file states; nil without a title.
        public var names: MediaNames?

        public init(file: String, segments: Segments, names: MediaNames? = nil) {
            (self.file, self.segments, self.names) = (file, segments, names)
        }
    }
}

extension Item.Segments: RandomAccessCollection, MutableCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { others.count + 1 }

    public subscript(index: Int) -> Item.Segment {
        get { index == 0 ? first : others[index - 1] }
        set { if index == 0 { first = newValue } else { others[index - 1] = newValue } }
    }
}

/// Title and artist of a song or of a file, for display.
public struct MediaNames: Sendable, Hashable {
    public let title: String
    public let artist: String?

    /// nil without a title.
    public init?(title: String?, artist: String?) {
        guard let title, !title.isEmpty else { return nil }
        (self.title, self.artist) = (title, artist.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// Both in one line.
    public var text: String { artist.map { "\($0) \u{2013} \(title)" } ?? title }
}
