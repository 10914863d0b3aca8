import Scene

extension OpenedFacts {
    /// A sound input is heard as long as its tile plays, wherever the group's clock is.
    public static var soundInput: OpenedFacts {
        var facts = OpenedFacts(SourceFacts.soundInput)
        facts.live = nil
        return facts
    }

    public init(_ facts: SourceFacts) {
        let kind: Kind =
            switch facts.kind {
            case .video: .video
            case .still: .still
            case .sound: .sound
            }
        self.init(kind: kind, length: facts.length, frameLength: facts.frames.rate?.frame, title: facts.container.title)
        (codec, natural) = (facts.codec, facts.natural)
        (stored, lead) = (facts.storage.turned(facts.frames.rotation), facts.lead)
        (soundTracks, chapters, keyFrames) = (facts.soundTracks, facts.container.chapters, facts.frames.keyFrames)
        (isCutOff, live, origin) = (facts.container.isCutOff, facts.traits.live, facts.origin)
        (statedLength, hasEvenRate) = (facts.container.statedLength, facts.frames.hasEvenRate)
        (bitRate, subtitles) = (facts.container.bitRate, facts.subtitles)
        (artist, album) = (facts.container.artist, facts.container.album)
    }
}
