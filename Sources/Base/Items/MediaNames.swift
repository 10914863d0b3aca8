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
