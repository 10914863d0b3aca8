import Base

/// A song in UltraStar's format: its files, and its lyrics with their times in the song.
public struct Song: Sendable, Equatable {
    public var title = ""
    public var artist = ""
    /// Paths as written, relative to the song's own file.
    public var files: [File: String] = [:]
    /// Header that names each file, without its "#".
    public var fileHeaders: [File: String] = [:]
    /// Position of the value of each header.
    public var places: [String: TextPosition] = [:]
    /// Times in the sound at which the song begins and ends; nil means the ends of the sound.
    public var start: Time?
    public var end: Time?
    /// Added to the song's time to get the video's time.
    public var videoGap = Time.zero
    public var lyrics = Lyrics([])
    /// Why the song is not played, and what would be right; nil if it is played.
    public var refusal: String?

    public enum File: String, Sendable, Hashable, CaseIterable {
        case audio, video, cover, background, vocals, instrumental

        public var isSound: Bool { [.audio, .vocals, .instrumental].contains(self) }
    }

    /// Returns the position of a header's value, or the start of the file if there is none.
    public func place(of header: String) -> TextPosition { places[header] ?? TextPosition() }
}
