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
