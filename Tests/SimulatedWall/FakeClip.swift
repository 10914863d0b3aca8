@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Opened
@testable import Player

/// A clip that exists only as numbers.
struct FakeClip {
    var frames: Int
    var rate = 30
    /// The clip's rate is `rate` frames in this many seconds.
    var seconds = 1
    var opensIn = Time.milliseconds(5)
    var framesDecodeIn = Time.milliseconds(3)
    /// Delay of the server's answer to each request for another position.
    var answersIn = Time.zero
    var knowsItsLength = true
    var trouble: SourceTrouble?
    /// Distance of key frames, in frames. A start between two of them decodes from the earlier one.
    var gop = 30
    var listsKeyFrames = true
    var isStill = false
    var isSound = false
    /// True if it opens, and none of its frames can be decoded.
    var isUndecodable = false
    /// Number of frames that the container claims and that are missing.
    var lacks = 0
    /// True if the container states that frames differ in length.
    var isUneven = false
    /// Number of black frames at the start.
    var blackUntil = 0
    var natural = Size(64, 36)
    /// Time from the start of its sound to its first frame.
    var lead = Time.zero
    /// FFmpeg's name of its codec.
    var codec = ""
    /// Bits a second of its video; nil if the container does not state them.
    var bitRate: Int?
    /// Traits of the coded frames; nil if unknown.
    var coded: CodedTraits?
    var subtitles: [SubtitleTrack] = []
    var soundTracks: [SoundTrack] = []
    var title: String?
    var artist: String?
    /// Wall time at which frame 0 of a live clip is made. Each later frame is made at its own time. nil if the clip is
    /// finite.
    var madeFrom: Time?
    /// Wall time during which no frames of a live clip arrive.
    var isSilent: Range<Time>?
    /// Length of the frames with which a connection to a live clip begins, as the last segments of a playlist; nil for
    /// a stream, of which a connection gets no earlier frames.
    var keeps: Time?
    /// Wall time during which all frames of a live clip look the same.
    var isFrozen: Range<Time>?

    func start(of frame: Int) -> Time { Time(Int64(frame), ofUnits: Int64(seconds), over: Int64(rate)) }
    var length: Time { start(of: frames) }
    var dueTolerance: Time { start(of: 1).dueTolerance }

    var facts: OpenedFacts {
        var facts = OpenedFacts(
            kind: isStill ? .still : isSound ? .sound : .video,
            length: knowsItsLength && madeFrom == nil ? length : nil, frameLength: start(of: 1))
        if !isSound { (facts.natural, facts.stored, facts.lead) = (natural, natural, lead) }
        (facts.hasEvenRate, facts.bitRate, facts.subtitles) = (!isUneven, bitRate, subtitles)
        (facts.codec, facts.soundTracks) = (codec, soundTracks)
        (facts.names.title, facts.names.artist) = (title, artist)
        if lacks > 0 { (facts.isCutOff, facts.statedLength) = (true, start(of: frames + lacks)) }
        if madeFrom != nil { facts.live = keeps == nil ? .pushed : .listed }
        if listsKeyFrames { facts.keyFrames = stride(from: 0, to: frames, by: gop).map(start) }
        return facts
    }

    /// Returns the first frame of a live clip that a connection at `now` gets.
    func firstFrame(ofConnectionAt now: Time) -> Int {
        guard let begin = madeFrom else { return 0 }
        guard let keeps else { return (0..<frames).first { begin + start(of: $0) >= now } ?? frames }
        let made = (0..<frames).last { isMade($0, at: now) }.map(start) ?? .zero
        return (0..<frames).first { isMade($0, at: now) && start(of: $0) > made - keeps } ?? frames
    }

    /// True if a frame of a playlist is made at `now`. No frame is made while the clip is silent.
    private func isMade(_ frame: Int, at now: Time) -> Bool {
        guard let begin = madeFrom else { return true }
        let time = begin + start(of: frame)
        return time <= now && isSilent?.contains(time) != true
    }
}
