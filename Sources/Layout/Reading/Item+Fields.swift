import Base

extension Item: FieldOwner {
    static let initial = Item(source: "")

    /// Fields of an item of `play`.
    static let fields = FieldTable<Item>([
        LayoutField(
            "src", .shared(.source), "A file or a URL. With segments: the source of segments without their own."),
        LayoutField("in", .shared(.time), "Start in the source.", default: .integer(0)),
        LayoutField(
            "out", .timeAboveZero,
            """
            End in the source; after in. A value past the end of the source means its end. Default: the end of the \
            source.
            """),
        LayoutField(
            "rate", .rate, \.rate, "Playback speed, multiplied with the group's and the segments' rates."),
        LayoutField(
            "repeat", .whole(1...1_000_000), \.rounds, "Total number of times that the item plays."),
        LayoutField(
            "duration", .length, \.duration,
            """
            Time for which a still image is shown (default: 5 s) or a live source is played (default: until it ends or \
            fails); above 0. For films and sound it is a mistake.
            """),
        LayoutField(
            "segments", .list(1..., of: .object(.segment)),
            "Parts of sources that are played as one item with one length."),
        LayoutField(
            "audio", .itemAudio, \.look.audio,
            "The item's sound: a track number from 1, a language (\"de\"), false for none, or an object with details.",
            byHand: .init { $0.merging($1, over: $2) }, saved: .take),
        LayoutField(
            "key", .whole(keys), \.look.key,
            "Semitones by which the sound is higher. Its length and the video stay the same.", byHand: .kept,
            saved: .hand),
        LayoutField(
            "crop", .crop, \.look.crop,
            """
            [x, y, w, h]: a part of the upright frame, before turn and flip: fractions of it, all from 0 to 1, with x + w \
            and y + h of at most 1; or, if w or h is over 1, whole pixels as the film stores them. "640x360+10+20" is a \
            width, a height, a left and a top in pixels.
            """),
        LayoutField("turn", .turn, \.look.decoding.turn, "Degrees, clockwise."),
        LayoutField(
            "flip", .flip, \.look.decoding.flip,
            "The frame is mirrored left to right or top to bottom, after the turn."),
        LayoutField(
            "deinterlace",
            FieldKind<Deinterlacing>(.flag, read: { $0.flag().map { $0 ? .all : .off } }, write: { .flag($0 == .all) }),
            \.look.decoding.deinterlacing,
            """
            true: every frame is deinterlaced, by FFmpeg's bwdif; the number of frames stays the same. false: no frame \
            is, even with --deinterlace.
            """,
            default: .off),
        LayoutField(
            "tone-mapping", .object(.toneMapping), \.look.decoding.toneMapping,
            "How its HDR or its wide gamut is shown."),
        LayoutField(
            "max-bitrate", .whole(1...1_000_000_000_000), \.fetching.maxBitrate,
            "Highest bit rate for adaptive streams, in bits a second. Default: the variant that fits the tile."),
        LayoutField(
            "ahead", .time(.zero...(.seconds(3600))), \.fetching.ahead,
            "Time by which network sources are read ahead, at most an hour."),
        LayoutField(
            "transition", .transition, \.transition,
            """
            How the item follows the one before: by a cut, or by a fade of so many seconds. Default: the tile's \
            transition.
            """),
        LayoutField(
            "lyrics", .lyrics, \.look.lyrics,
            """
            Words over the video: auto (a file of the same name, else the first subtitle track), a file, a subtitle \
            track, false for none, or an object with details. Default: none, except for songs, which have their own.
            """),
        LayoutField(
            "voice", .whole(1...9), \.look.voice,
            "Number of the voice of a duet that is shown. Default: all."),
        LayoutField(
            "label", .label, \.look.label,
            "A text on the tile while it shows the item, and the item's title. Default or empty: the tile's label."),
    ])

    /// Fields that an item of `compare` has, too. Their schemas refer to those of an item of `play`.
    static var fieldsOfCompared: [FieldSpec] {
        fields.specs.filter { !["transition", "lyrics", "voice"].contains($0.key) }.map { spec in
            FieldSpec(key: spec.key, schema: .reference("item/properties/\(spec.key)"))
        }
    }
}

/// Field that an item of `compare` has and one of `play` has not.
struct ComparedOffset: DefaultFieldOwner {
    var offset = Time.zero

    static let fields = FieldTable<ComparedOffset>([
        LayoutField(
            "offset", .signedTime, \.offset,
            "Time by which the item is ahead of its group's clock; negative: behind.", saved: .hand)
    ])
}

extension Item.Segment: FieldOwner {
    static let initial = Item.Segment(source: "")

    static let fields = FieldTable<Item.Segment>([
        LayoutField("src", .shared(.source), "A file or a URL. Default: the item's source."),
        LayoutField("in", .shared(.time), "Start in the source.", default: .integer(0)),
        LayoutField(
            "out", .timeAboveZero,
            "End in the source; after in. Default: the end of the source."),
        LayoutField("rate", .rate, \.rate, "Playback speed."),
    ])
}

extension LyricsLayout: DefaultFieldOwner {
    static let fields = FieldTable<LyricsLayout>([
        LayoutField("src", .shared(.source), "A file of words, or auto. Default: auto, or the song's own words."),
        LayoutField("track", .whole(1...999), "A subtitle track of the item's source, from 1."),
        LayoutField(
            "offset", .signedTime, \.offset, "Time by which the words come later; negative: earlier."),
        LayoutField("size", .whole(2...25), \.size, "Height of a line, in percent of the tile's height."),
        LayoutField("color", .color, \.color, "Colour of words that are still to be sung."),
        LayoutField("sung", .color, \.sung, "Colour of words that have been sung."),
        LayoutField("position", .word([.top, .middle, .bottom]), \.position, "Place of the words in the tile."),
        LayoutField(
            "lines", .whole(1...6), \.lines, "Number of lines of each voice that are shown at a time."),
    ])
}

/// A transition that takes time.
struct FadeLayout: DefaultFieldOwner {
    var length: Time?

    static let fields = FieldTable<FadeLayout>([
        LayoutField(
            "fade", .time(.zero...Transition.longest), \.length,
            """
            Length of the fade from the earlier item to the later one, at most half of the shorter item. An iteration \
            is shorter by that time.
            """,
            required: "a time up to 2 s")
    ])
}

// MARK: kinds

extension FieldKind {
    static var transition: FieldKind<Transition> {
        .init(
            .any(.only(.text("cut")), .object(.transition)),
            read: { node in
                let right = "\"cut\" or {\"fade\": seconds} would be right"
                if let text = node.string { return text == "cut" ? .cut : node.refused(right: right) }
                let length = node.fields(of: .transition, right: right)?.object(FadeLayout.self).length
                return length.map { $0 == .zero ? .cut : .fade($0) }
            },
            write: { $0 == .cut ? .text("cut") : nil })
    }

    fileprivate static var crop: FieldKind<Crop> {
        .init(
            .any(.fractions, .pixels(from: 0), .text(pattern: #"^\d+x\d+\+\d+\+\d+$"#)),
            read: { node in
                let right =
                    "[x, y, w, h] in fractions of the frame or in whole pixels, or \"WxH+X+Y\" in pixels, would be right"
                if let text = node.string { return Crop(text) ?? node.refused(right: right) }
                guard let (_, numbers) = node.rect(0...Double(Crop.mostPixels), right: right) else { return nil }
                let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
                if let crop = Crop(x, y, width, height) { return crop }
                if numbers.contains(where: { $0 > 1 }) { return node.refused(LayoutNode.mixedRect) }
                return node.refused("the crop reaches beyond the frame; x + w and y + h of at most 1 would be right")
            },
            write: { crop in
                switch crop {
                case .fractions(let part): .list([part.x, part.y, part.width, part.height].map { .plain($0) })
                case .pixels(let rect): .text(rect.words)
                }
            })
    }

    static var flip: FieldKind<Flip> { .word([.none, .horizontal, .vertical]) }

    static var turn: FieldKind<Turn> {
        .init(
            .oneOf([0, 90, 180, 270].map { .integer($0) }),
            read: { node in
                let turn = node.number.flatMap(Int.init(exactly:)).flatMap(Turn.init(rawValue:))
                return turn ?? node.refused(right: "0, 90, 180 or 270 would be right")
            }, write: { .integer($0.rawValue) })
    }

    fileprivate static var itemAudio: FieldKind<ItemAudio> {
        .init(
            .any(.whole(1...999), .text, .only(.flag(false)), .object(.itemAudio)),
            read: { node in
                let right = "a track number from 1, a language such as \"de\", false, or an object would be right"
                if node.bool == false { return .silent }
                if node.number != nil { return node.whole(1...999).map { .track($0) } }
                if node.string != nil { return node.text(right: right).map { .language($0) } }
                guard let fields = node.fields(of: .itemAudio, right: right) else { return nil }
                if let stems = fields["stems"] { return stems.stems(beside: fields).map { .stems($0) } }
                return .other(fields.object())
            },
            write: { audio in
                switch audio {
                case .track(let track): .integer(track)
                case .stems(let stems): stems.written
                case .language, .silent, .other: nil
                }
            })
    }

    fileprivate static var lyrics: FieldKind<ItemLyrics> {
        .init(
            .any(.only(.flag(false)), .shared(.source), .object(.lyrics)),
            read: { node in
                if node.bool == false { return ItemLyrics.none }
                var lyrics = LyricsLayout()
                if node.string != nil {
                    guard let source = node.lyricsSource() else { return nil }
                    lyrics.source = source
                    return .shown(lyrics)
                }
                let right = "\"auto\", a file, {\"track\": 1}, false, or an object with \"src\" would be right"
                guard let fields = node.fields(of: .lyrics, right: right) else { return nil }
                if let source = fields.lyricsSource() { lyrics.source = source }
                fields.read(into: &lyrics)
                return .shown(lyrics)
            })
    }
}

extension StatedToneMapping: DefaultFieldOwner {
    static let fields = FieldTable<StatedToneMapping>([
        LayoutField(
            "curve", .word(ToneMapping.Curve.allCases), \.curve,
            """
            bt2390: the curve of BT.2390 compresses what is brighter than the display, from the peak that the source \
            states, else from 1000 nits. clip: what is brighter is shown as the display's white. off: code values are \
            shown as if they were SDR in BT.709. Default: the value of the tile, else of the layout, else bt2390.
            """),
        LayoutField(
            "target-nits", .whole(ToneMapping.nits), \.targetNits,
            """
            Luminance in nits that is shown as the display's white. With a lower value, HDR looks brighter. Default: the \
            value of the tile, else of the layout, else 203.
            """),
    ])
}
