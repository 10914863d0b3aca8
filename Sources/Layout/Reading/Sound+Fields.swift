import Base

extension AudioLayout: DefaultFieldOwner {
    static let fields = FieldTable<AudioLayout>(
        [
            LayoutField(
                "mode", .word([.focus, .mix]), \.mode,
                "focus: only the focused tile is heard, if it is not muted. mix: every unmuted tile.",
                saved: .options),
            LayoutField(
                "focus", .text, "Id of the tile that has the focus when the wall begins. Default: the first tile."),
            LayoutField(
                "volume", .percent, \.volume, "Volume of the wall, on a scale that sounds even.", byHand: .kept,
                saved: [.hand, .options]),
            LayoutField(
                "delay", .whole(-1000...1000), \.statedDelay,
                """
                Milliseconds by which sound is delayed. A negative value delays the video. Default: the calibrated \
                delay, or 0.
                """,
                saved: .options),
            LayoutField("bed", .bed, \.bed, "A looped sound under all other sound. Default: none."),
            LayoutField(
                "input", .text("a sound input's name"), \.input,
                """
                The sound input that is recorded and monitored, by the sound server's name for it. Default: the \
                server's default input.
                """),
            LayoutField("monitor", .flag, \.monitorsInput, "The singer hears the microphone in the mix."),
        ], addedFirst: "volume")

    /// Delay in milliseconds; nil if the layout does not state it.
    public var statedDelay: Int? {
        get { statesDelay ? delayMilliseconds : nil }
        set { (delayMilliseconds, statesDelay) = (newValue ?? 0, newValue != nil) }
    }
}

extension AudioLayout.Bed: FieldOwner {
    static let initial = AudioLayout.Bed(source: "")

    static let fields = FieldTable<AudioLayout.Bed>([
        LayoutField("src", .source, \.source, "A file or a URL.", required: "a file or a URL"),
        LayoutField("volume", .percent, \.volume, "Volume, on a scale that sounds even."),
        LayoutField(
            "clock", .word([.own, .wall]), \.clock,
            "own: the sound always plays. wall: it pauses and seeks with the main group."),
    ])
}

extension FieldKind {
    fileprivate static var bed: FieldKind<AudioLayout.Bed> {
        .init(
            .any(.shared(.source), .object(.bed)),
            read: { node in
                if node.string != nil { return node.source().map { .init(source: $0) } }
                return node.fields(of: .bed, right: "a file, a URL or an object with \"src\" would be right")?.object()
            })
    }

    fileprivate static var track: FieldKind<SoundChoice.Track> {
        .init(
            .any(.whole(1...999), .text),
            read: { node in
                if node.number != nil { return node.whole(1...999).map { .number($0) } }
                let right = "a track number from 1 or a language such as \"de\" would be right"
                return node.text(right: right).map { .language($0) }
            },
            write: { track in
                switch track {
                case .number(let number): .integer(number)
                case .language(let name): .text(name)
                }
            })
    }
}

// MARK: sound of an item

/// Sound of an item that is not its own, or not the whole of it.
protocol SoundOfItem: FieldOwner {
    var channel: ItemAudio.Channel { get set }
    var offset: Time { get set }
    var volume: Int { get set }
}

extension SoundOfItem {
    fileprivate static var soundFields: [LayoutField<Self>] {
        [
            LayoutField(
                "channel", .word([.both, .left, .right]), \.channel, "The channels that are heard."),
            LayoutField(
                "offset", .signedTime, \.offset, "Time by which the sound comes after the video; negative: before it."),
            LayoutField("volume", .percent, \.volume, "Volume, on a scale that sounds even."),
        ]
    }
}

extension ItemAudio.OtherSound: SoundOfItem, DefaultFieldOwner {
    static let fields = FieldTable<ItemAudio.OtherSound>(
        [
            LayoutField(
                "src", .source, \.source,
                "A file whose sound is played with this video. Default: the item's own sound."),
            LayoutField(
                "track", .track, \.track, "Number of the sound track from 1, or its language. Default: the first."
            ),
        ] + soundFields + [
            LayoutField(
                "stems", .list(1...ItemAudio.Stems.mostFiles, of: .object(.stem)),
                "Sound files that are heard together with this video, instead of src and track.")
        ])
}

extension ItemAudio.Stems: SoundOfItem {
    static let mostFiles = 16
    static let initial = ItemAudio.Stems([])
    static let fields = FieldTable<ItemAudio.Stems>(soundFields)

    /// The sound with all its stems as JSON.
    var written: PropertyValue {
        let stems = files.map { stem -> PropertyValue in
            let head: PropertyValue = ["name": .text(stem.name), "src": .text(stem.source)]
            return head.adding(.object(ItemAudio.Stem.fields.changed(stem)))
        }
        return .object([PropertyField("stems", .list(stems))] + Self.fields.changed(self))
    }
}

extension ItemAudio.Stem: FieldOwner {
    static let initial = ItemAudio.Stem("", "")

    static let fields = FieldTable<ItemAudio.Stem>(
        [
            LayoutField(
                "name", JSONSchema.text.with(["pattern": .text("^[^/]*$")]),
                "Name of the stem, without a slash; unique among the item's stems. Default: stem1, stem2, ..."),
            LayoutField("src", .source, \.source, "A file or a URL.", required: "a file or a URL"),
            LayoutField(
                "offset", .signedTime, \.offset,
                "Time by which the stem comes after the video, added to the offset of all stems; negative: before it."),
            LayoutField(
                "track", .track, \.track, "Number of the file's sound track from 1, or its language."),
            LayoutField(
                "volume", .percent, \.volume, "Volume, on a scale that sounds even.", byHand: .kept, saved: .hand),
            LayoutField("mute", .flag, \.isMuted, "The stem is not heard.", byHand: .kept, saved: .hand),
        ], addedFirst: "mute")
}
