import Base
import Lyrics

/// The files of a song that exist, and their places in the song's time.
public struct SongFiles: Sendable {
    let path: String
    let song: Song
    let files: [Song.File: String]
    let soundLength: Time?
    let videoLength: Time?
    let instrumental: Instrumental?

    /// Sound without vocals, from a song file of its own.
    public struct Instrumental: Sendable, Equatable {
        public let path: String
        /// Time by which its sound comes later than the song's.
        let offset: Time

        public init(path: String, offset: Time) { (self.path, self.offset) = (path, offset) }
    }

    /// `files`: paths of the files that can be opened. Lengths are nil if unknown.
    public init(
        path: String, song: Song, files: [Song.File: String], soundLength: Time?, videoLength: Time?,
        instrumental: Instrumental? = nil
    ) {
        (self.path, self.song, self.files, self.instrumental) = (path, song, files, instrumental)
        (self.soundLength, self.videoLength) = (soundLength, videoLength)
    }

    /// Returns the item that plays the song; nil if nothing of it can be played. `in` and `out` of `item` are times of
    /// the song.
    public func item(_ item: Item) -> Item? {
        guard song.refusal == nil, sound != nil || files[.video] != nil else { return nil }
        let stated = item.segments.first
        var begin = stated.start > .zero ? stated.start : song.start ?? .zero
        // Before its video begins there is nothing to play.
        if sound == nil, image == nil { begin = max(begin, .zero - song.videoGap) }
        var end = stated.end ?? song.end
        if let length = soundLength { end = min(end ?? length, length) }
        if sound == nil, let video = videoLength { end = min(end ?? .distantFuture, video - song.videoGap) }
        var played = item
        var segments =
            if let end, end <= begin { Item.Segments(nothing(from: begin)) } else { segments(from: begin, to: end) }
        for place in segments.indices { segments[place].rate = stated.rate }
        let names = MediaNames(title: song.title.printable, artist: song.artist.printable)
        played.content = .song(Item.Song(file: path, segments: segments, names: names))
        played.audio = audio(item.audio)
        if item.lyrics != .none {
            var lyrics = if case .shown(let stated) = item.lyrics { stated } else { LyricsLayout() }
            if lyrics.source == .auto { lyrics.source = .file(path) }
            played.lyrics = .shown(lyrics)
        }
        return played
    }

    /// Shortest time for which the image is shown at the end.
    private static let shortestImage = Time.milliseconds(500)

    private var sound: String? { files[.audio] ?? files[.instrumental] ?? files[.vocals] }
    private var image: String? { files[.background] ?? files[.cover] }

    // MARK: frames

    /// Returns the video at its place in the song, with the image before and after it. Without a video, the image or
    /// the sound alone.
    private func segments(from begin: Time, to end: Time?) -> Item.Segments {
        let first = max(begin, .zero - song.videoGap)
        let last = [end, videoLength.map { $0 - song.videoGap }].compactMap { $0 }.min()
        guard let video = files[.video], last.map({ first < $0 }) ?? true else {
            return Item.Segments(still(from: begin, to: end))
        }
        var segment = Item.Segment(source: video)
        (segment.start, segment.songStart) = (first + song.videoGap, first)
        // Plays to the video's end, unless the song ends before.
        if let end, last == end { segment.end = end + song.videoGap }
        var segments =
            begin < first ? Item.Segments(still(from: begin, to: first), [segment]) : Item.Segments(segment)
        // Video and sound seldom end at the same instant.
        if let last, let end, end - last > Self.shortestImage { segments.append(still(from: last, to: end)) }
        return segments
    }

    /// Returns a segment of zero length at the end of the file, for a song that would end before it begins.
    private func nothing(from begin: Time) -> Item.Segment {
        let length = sound == nil ? videoLength : soundLength, gap = sound == nil ? song.videoGap : .zero
        var segment = Item.Segment(source: sound ?? files[.video]!)
        segment.start = max(begin + gap, length ?? .zero)
        (segment.end, segment.songStart) = (segment.start, segment.start - gap)
        return segment
    }

    private func still(from begin: Time, to end: Time?) -> Item.Segment {
        if let image, let end {
            var segment = Item.Segment(source: image)
            (segment.duration, segment.songStart) = (end - begin, begin)
            return segment
        }
        var segment = Item.Segment(source: sound ?? files[.video]!)
        (segment.start, segment.end, segment.songStart) = (begin, end, begin)
        return segment
    }

    // MARK: sound

    /// Vocals and instrumental, heard together; or else the song and its instrumental, of which one is heard. nil if
    /// the song does not have both.
    private var stems: ItemAudio.Stems? {
        if let vocals = files[.vocals], let instrumental = files[.instrumental] {
            return .init([.init("vocals", vocals), .init("instrumental", instrumental)])
        }
        guard let sound, let instrumental, instrumental.path != sound else { return nil }
        var other = ItemAudio.Stem("instrumental", instrumental.path)
        (other.offset, other.isMuted) = (instrumental.offset, true)
        var stems = ItemAudio.Stems([.init("song", sound), other])
        stems.isChoice = true
        return stems
    }

    /// Returns the sound of the item. Settings of the layout are kept.
    private func audio(_ stated: ItemAudio) -> ItemAudio {
        switch stated {
        case .silent, .stems: return stated
        case .other(var other):
            if other.source != nil { return stated }
            if other.track == nil, var stems {
                (stems.channel, stems.offset, stems.volume) = (other.channel, other.offset, other.volume)
                return .stems(stems)
            }
            other.source = sound
            return .other(other)
        case .track, .language:
            if let stems { return .stems(stems) }
            guard let sound else { return stated }
            var other = ItemAudio.OtherSound()
            other.source = sound
            return .other(other)
        }
    }

    /// Returns why nothing would be shown for a voice; nil if it has lines.
    public func trouble(ofVoice voice: Int) -> SourceTrouble? { song.lyrics.trouble(ofVoice: voice) }

    /// Lines that end more than this after the song's end are reported.
    private static let overhang = Time.seconds(1)

    /// Oddities of the song that only the lengths of its files reveal.
    public var remarks: [Mistake] {
        var remarks: [Mistake] = []
        func remark(_ header: String, _ text: String) {
            remarks.append(Mistake(at: song.place(of: header), place: "#\(header)", text: text))
        }
        func seconds(_ time: Time) -> String { fixed(time.seconds, 1) }
        if let length = soundLength, let start = song.start, start >= length {
            remark("START", "after the end of the sound at \(seconds(length)) s; an earlier time would be right")
        }
        if let end = [soundLength, song.end].compactMap({ $0 }).min() {
            let unsung = song.lyrics.lines.filter { $0.end > end + Self.overhang }
            if let first = unsung.first {
                let (header, count) = (song.end == end ? "END" : song.fileHeaders[.audio] ?? "AUDIO", unsung.count)
                let lines = count == 1 ? "1 line of lyrics ends" : "\(count) lines of lyrics end"
                remark(
                    header,
                    "the song ends at \(seconds(end)) s, but \(lines) later, the first at "
                        + "\(seconds(first.end)) s; the matching sound file, or another #BPM or #GAP, would be right")
            }
        }
        if files[.video] != nil {
            let begins = Time.zero - song.videoGap
            if let length = soundLength, begins >= length {
                remark("VIDEOGAP", "the video would begin at \(seconds(begins)) s, after the song's end")
            } else if let length = videoLength, song.videoGap >= length {
                remark("VIDEOGAP", "its video is over before the song begins: it lasts \(seconds(length)) s")
            }
        }
        if files[.vocals] != nil, files[.instrumental] == nil, song.files[.instrumental] == nil {
            remark("VOCALS", "ignored as a stem without #INSTRUMENTAL; both would be right")
        } else if files[.instrumental] != nil, files[.vocals] == nil, song.files[.vocals] == nil {
            remark("INSTRUMENTAL", "ignored as a stem without #VOCALS; both would be right")
        }
        return remarks
    }
}

extension Layout {
    /// Replaces each item with a song as its source by the item that plays the song's files. `song`: returns that item;
    /// nil if the source is no song, or can't be played.
    public mutating func expandSongs(_ song: (String, Item) -> Item?) {
        func expand(_ item: Item) -> Item {
            if case .media(let segment) = item.content { song(segment.source, item) ?? item } else { item }
        }
        changeItems { items in items = items.map(expand) }
    }
}
