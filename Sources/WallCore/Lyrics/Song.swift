/// A song of UltraStar's format: which files it is made of, and its words with their times in the song.
public struct Song: Sendable, Equatable {
    public var title = ""
    public var artist = ""
    /// As they are written, relative to the song's own file.
    public var files: [File: String] = [:]
    /// Where it begins and ends in its sound; nil: at the sound's own ends.
    public var start: Time?
    public var end: Time?
    /// The picture's time is the song's plus this.
    public var videoGap = Time.zero
    /// By voice, from 1.
    public var singers: [Int: String] = [:]
    public var lyrics = Lyrics([])
    /// Why nothing of it is played, and what would be right; nil: it is.
    public var refusal: String?

    public enum File: String, Sendable, Hashable, CaseIterable {
        case audio, video, cover, background, vocals, instrumental
    }

    public init() {}
}
