import Base

extension TileLayout: FieldOwner {
    static let initial = TileLayout(id: "", place: .cell(column: 0, row: 0, columns: 1, rows: 1), play: [])

    static let fields = FieldTable<TileLayout>([
        LayoutField(
            "id", .name, \.id,
            """
            A unique name without a slash; not none, alone or all. Default: tile1, tile2 and so on, by place in the \
            list.
            """),
        LayoutField(
            "cell", .pair(0...63),
            """
            [column, row] in the grid, from 0. Default: the first free cell, row by row. Tiles with a cell take theirs \
            first and may share it.
            """),
        LayoutField(
            "span", .pair(1...64), "[columns, rows] that the tile takes, within the grid.",
            default: .list([.integer(1), .integer(1)])),
        LayoutField(
            "rect", rectSchema,
            """
            [x, y, w, h] instead of a cell: fractions of the window, all from 0 to 1; or, if w or h is over 1, whole \
            pixels of window.size. The part outside the window is cut off.
            """),
        LayoutField(
            "group", .text("a group's name"), \.group, "Name of the group whose clock the tile follows.",
            changes: .group),
        LayoutField(
            "offset", .signedTime, \.offset,
            "Time by which the tile is ahead of its group's clock; negative: behind.",
            byHand: .kept, saved: .hand, changes: .offset),
        LayoutField(
            "play", FieldKind(.sequence, read: { .sequence($0.items()) }), \.content,
            "A source, an item, or a list of them, played one after the other.",
            byHand: .init { $0.merging($1, over: $2) }, changes: .sequence,
            comparing: { $0.items.map(\.sequenced) == $1.items.map(\.sequenced) }),
        LayoutField(
            "loop", .loop, \.course.loop,
            """
            true, false, or the total number of iterations. In a group that loops together: whether the tile takes \
            part in the next iteration.
            """,
            byHand: .kept, saved: .options, changes: .following),
        LayoutField(
            "fit", .word([.contain, .cover, .stretch]), \.look.fit,
            """
            contain: the whole frame is shown, with background beside it. cover: the frame fills the tile and is \
            cropped. stretch: the frame fills the tile and is distorted.
            """,
            asProperty: "how its frames fill it"),
        LayoutField(
            "flip", .flip, \.decoding.flip,
            "All its items are mirrored left to right or top to bottom, after their own turn and flip.",
            changes: .decoding, asProperty: "how all its items are mirrored"),
        LayoutField(
            "tone-mapping", .object(.toneMapping), \.decoding.toneMapping,
            "How its HDR and wide gamuts are shown.", changes: .decoding),
        LayoutField(
            "poster", .poster, \.look.poster,
            "An image shown until there are frames, or \"auto\": the first frame of the first item.", default: "auto"),
        LayoutField("mute", .flag, \.sound.isMuted, "The tile is not heard.", byHand: .kept, saved: .hand),
        LayoutField(
            "volume", .percent, \.sound.volume, "Volume, on a scale that sounds even.", byHand: .kept, saved: .hand),
        LayoutField(
            "balance", .number(-1...1, "a number from -1 to 1"), \.sound.balance,
            """
            Balance of the sound: -1 is the left side alone, 0 both, 1 the right side alone. In between, the other side \
            is quieter in proportion.
            """,
            asProperty: "the balance of its sound, from -1 (left) to 1 (right)"),
        LayoutField("label", .label, \.look.label, "A text on the tile. Default or empty: none."),
        LayoutField(
            "announce", .flag, \.look.announces,
            "A card announces each item when it begins, such as a song, and a line the next one before the end.",
            asProperty: "whether cards announce its items"),
        LayoutField(
            "subtitles", .subtitles, \.look.subtitles,
            """
            Subtitles over its films: false or no; true or auto: a file of the film's name beside it, else the first \
            of the film; a number from 1: the film's own, then the files beside it; or a file. They take the place of \
            lyrics.
            """,
            byHand: .kept, saved: .hand),
        LayoutField(
            "pip", .flag(.allowed, .denied, or: "auto", .automatic), \.look.pip,
            "Picture in picture by a key. auto: also when the wall is minimised while playing."),
        LayoutField(
            "on-error", .word([.next, .hold, .stop]), \.course.onError,
            """
            For an item that can't be played: go on with the next item; hold the last frame or the poster for the \
            item's length; stop.
            """,
            changes: .following),
        LayoutField(
            "transition", .transition, \.course.transition,
            """
            How each item follows the one before, loops and repeats included: by a cut, or by a fade of so many \
            seconds. An item's own transition overrides it.
            """,
            changes: .sequence),
        LayoutField(
            "stale-after", .timeLimit, \.staleAfter,
            """
            For a live source: the tile is dimmed when its newest frame is older than so many seconds. false: never. \
            Default: the layout's value.
            """),
        LayoutField(
            "frozen-after", .timeLimit, \.frozenAfter,
            """
            For a live source: it is reported as frozen when its frames are identical for so many seconds. false: \
            never. Default: the layout's value.
            """),
        LayoutField(
            "compare",
            .list(2...ComparisonLayout.mostMembers, of: .any(.shared(.source), .object(.comparedItem))),
            "Instead of play: 2 to 9 ids of tiles or sources, in step. The others are compared with the first."),
    ])

    private static let rectSchema = JSONSchema.any(.fractions, .pixels(from: -65536))
}

extension ComparisonLayout: FieldOwner {
    static let initial = ComparisonLayout(members: [])

    /// Fields of a tile that compares.
    static let fields = FieldTable<ComparisonLayout>([
        LayoutField("mode", .word(ComparisonMode.allCases), \.mode, "The way of comparing.", saved: .hand),
        LayoutField(
            "gain", .gain, \.gain,
            """
            Factor by which differences are multiplied. auto: chosen from each frame, so that large differences are \
            bright. Default: auto for heat, else 4.
            """,
            saved: .hand),
        LayoutField(
            "at", .number(0...1, "a number from 0 to 1"), \.at, "Position of the line of a wipe.", saved: .hand),
        LayoutField(
            "angle", .number(-360...360, "degrees from -360 to 360"), \.angle,
            "Angle of the line of a wipe, in degrees. 0: upright, the first on the left; 90: the first on top.",
            saved: .hand),
        LayoutField(
            "swapped", .flag, \.isSwapped,
            "The first two change sides: the second is on the first one's side, and is the reference.", saved: .hand),
    ])
}

extension FieldKind {
    fileprivate static var gain: FieldKind<ComparisonLayout.Gain> {
        let range = ComparisonLayout.gains
        return .init(
            .any(.number(range), .words(["auto"])),
            read: { node in
                if node.string == "auto" { return .automatic }
                let right = "a number from 0.125 to 64, or \"auto\", would be right"
                return node.number(range, right: right).map { .times($0) }
            }, write: { if case .times(let factor) = $0 { .plain(factor) } else { .text("auto") } })
    }

    fileprivate static var loop: FieldKind<Loop> {
        .init(
            .any(.flag, .whole(1...1_000_000_000)),
            read: { node in
                if let flag = node.bool { return flag ? .forever : .iterations(1) }
                return node.whole(1...1_000_000_000, instead: ", true or false").map { .iterations($0) }
            },
            write: { loop in
                switch loop {
                case .forever: .flag(true)
                case .iterations(1): .flag(false)
                case .iterations(let count): .integer(count)
                }
            })
    }

    fileprivate static var subtitles: FieldKind<SubtitleChoice> {
        .init(
            .any(.flag, .whole(1...999), .shared(.source)),
            read: { node in
                if let flag = node.bool { return flag ? .automatic : .off }
                switch node.string {
                case "no": return .off
                case "auto": return .automatic
                case nil: return node.whole(1...999, instead: ", a file, \"auto\" or false").map { .number($0) }
                default: return node.source(or: " of subtitles, a number, \"auto\" or false,").map { .file($0) }
                }
            },
            write: { choice in
                switch choice {
                case .off: .flag(false)
                case .automatic: .text("auto")
                case .number(let number): .integer(number)
                case .file(let path): .text(path)
                }
            })
    }
}

extension JSONSchema {
    /// [x, y, w, h]: a part of something, in fractions of it.
    static let fractions = tuple(.number(0...1), .number(0...1), .number(upTo: 1), .number(upTo: 1))

    /// [x, y, w, h] in whole pixels. w or h is above 1: others are fractions.
    static func pixels(from least: Int) -> JSONSchema {
        let place = whole(least...65536), side = whole(1...65536)
        return tuple(place, place, side, side).with(["anyOf": .list([moreThanOne(at: 2), moreThanOne(at: 3)])])
    }

    private static func moreThanOne(at place: Int) -> PropertyValue {
        ["prefixItems": .list(Array(repeating: .flag(true), count: place) + [["exclusiveMinimum": .integer(1)]])]
    }
}
