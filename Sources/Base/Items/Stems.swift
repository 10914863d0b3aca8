extension ItemAudio {
    /// Files that are heard together with an item's frames, each with its own volume.
    public struct Stems: Sendable, Hashable {
        /// At least one.
        public var files: [Stem]
        /// Channel, offset and volume of all files together.
        public var channel = Channel.both
        public var offset = Time.zero
        public var volume = 100
        /// True if the first two files are versions of the same sound: muting one ends the mute of the other.
        public var isChoice = false

        public init(_ files: [Stem]) { self.files = files }

        /// Replaces an earlier take by this one. The new take keeps its place in the song, whatever the offset of the
        /// other files.
        public mutating func lay(_ take: Stem) {
            files.removeAll(where: \.isTake)
            var take = take
            // A stem of the layout may have this name already.
            let names = ["take"] + (2...files.count + 2).map { "take\($0)" }
            take.name = names.first { name in !files.contains { $0.name == name } } ?? take.name
            take.offset = .zero - offset
            files.append(take)
        }
    }

    public struct Stem: Sendable, Hashable {
        /// Name of the stem, unique among the item's stems.
        public var name: String
        public var source: String
        /// Delay of the sound, in addition to the offset of all stems.
        public var offset = Time.zero
        public var volume = 100
        public var isMuted = false
        /// Track of the file.
        public var track = SoundChoice.Track.number(1)

        /// True if the user added it with `take-use`.
        public var isTake = false

        public init(_ name: String, _ source: String) { (self.name, self.source) = (name, source) }

        /// Volume as a factor; zero if muted.
        public var level: Float { isMuted ? 0 : Loudness.gain(ofVolume: volume) }
    }

    public var stems: [Stem] { if case .stems(let stems) = self { stems.files } else { [] } }

    /// Files other than the item's own from which its sound is read.
    public var sources: [String] {
        switch self {
        case .other(let other): other.source.map { [$0] } ?? []
        case .stems(let stems): stems.files.map(\.source)
        case .track, .language, .silent: []
        }
    }

    /// Index of the stem that is heard when this one is muted, and muted when it is heard; nil if there is none.
    public func alternative(to place: Int) -> Int? {
        if case .stems(let stems) = self, stems.isChoice, (0...1).contains(place) { 1 - place } else { nil }
    }

    public mutating func changeStem(_ place: Int, _ body: (inout Stem) -> Void) {
        guard case .stems(var stems) = self, stems.files.indices.contains(place) else { return }
        body(&stems.files[place])
        self = .stems(stems)
    }
}
