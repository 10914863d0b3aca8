/// A song of UltraStar's format: which files it is made of, and its words with their times in the song.
public struct Song: Sendable, Equatable {
    public var title = ""
    public var artist = ""
    /// As they are written, relative to the song's own file.
    public var files: [File: String] = [:]
    /// The header that names each of them, without its "#".
    public var fileHeaders: [File: String] = [:]
    /// Where the value of each header stands.
    public var places: [String: Place] = [:]

    public struct Place: Sendable, Equatable {
        public let line: Int
        public let column: Int

        public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
    }
    /// Where it begins and ends in its sound; nil: at the sound's own ends.
    public var start: Time?
    public var end: Time?
    /// The frame's time is the song's plus this.
    public var videoGap = Time.zero
    /// By voice, from 1.
    public var singers: [Int: String] = [:]
    public var lyrics = Lyrics([])
    /// Why nothing of it is played, and what would be right; nil: it is.
    public var refusal: String?

    public enum File: String, Sendable, Hashable, CaseIterable {
        case audio, video, cover, background, vocals, instrumental

        public var isSound: Bool { [.audio, .vocals, .instrumental].contains(self) }
    }

    public init() {}

    /// Of a header's value; of the file's beginning, where there is none.
    public func place(of header: String) -> Place { places[header] ?? Place(line: 1, column: 1) }

    /// What is odd in it, and what would be right.
    public struct Remark: Sendable, Equatable {
        /// Without its "#".
        public let header: String
        public let place: Place
        public let text: String
    }
}
