import Base

extension Layout: FieldOwner {
    static let initial = Layout(title: "", tiles: [])

    static let fields = FieldTable<Layout>([
        LayoutField(
            "title", .text("a text that is not empty"), \.title,
            "The window's title. Default: the layout file's name."),
        LayoutField("window", .object(.window), \.window),
        LayoutField(
            "pipelines", .pipelines, \.decoding.pipelines, "How many video decoders may be open at once.",
            saved: .options),
        LayoutField(
            "overflow", .overflow, \.decoding.overflow,
            """
            Which tiles play if there are more feeds than pipelines: "rotate" (they take turns), "first" (layout \
            order) or "largest". The focused tile always plays.
            """),
        LayoutField(
            "quality", .word([.exact, .auto]), \.decoding.quality,
            """
            exact: every pixel as the decoder specifies. auto: in tiles of half the source's size or less the decoder \
            omits work whose result cannot be seen. A wall that cannot keep up degrades in a fixed order. Default: \
            exact for groups that are compared or measured, else auto.
            """,
            saved: .options),
        LayoutField(
            "memory", .whole(16...65536), \.decoding.memoryMiB,
            "Memory for decoded frames of the whole wall, in MiB. Each playing tile gets at least three frames."),
        LayoutField(
            "max-pixels", .size(16...65536), \.decoding.maxPixels,
            "[width, height] of the largest frames that are decoded."),
        LayoutField(
            "tone-mapping", .object(.toneMapping, isWritten: true), \.decoding.toneMapping,
            "How HDR and wide gamuts are shown.", saved: .options),
        LayoutField(
            "hidden", .word([.run, .sound, .pause]), \.showing.hidden,
            "While the window is minimised: run: play on. sound: play on without decoding video. pause: pause."),
        LayoutField(
            "on-screen-errors", .flag, \.showing.onScreenErrors,
            """
            true: cards describe errors. false: the poster or the background appears instead. Default: false if \
            window.input is none, else true.
            """),
        LayoutField(
            "stale-after", .timeLimit, \.showing.staleAfter,
            """
            A live tile whose newest frame is older than so many seconds is dimmed and shows the frame's age. false: \
            never. Applies to tiles without their own value.
            """),
        LayoutField(
            "frozen-after", .timeLimit, \.showing.frozenAfter,
            """
            A live source whose frames are identical for so many seconds is reported as frozen, by health and an \
            event. Applies to tiles without their own value.
            """),
        LayoutField("grid", .object(.grid)),
        LayoutField(
            "groups", groupsSchema,
            """
            Groups by name; the tiles of a group share one clock. A tile may name a group that is not listed here; \
            that group has the defaults. A name that differs from a declared one only in upper and lower case is a \
            mistake.
            """),
        LayoutField("audio", .object(.audio)),
        LayoutField(
            "keys", keysSchema,
            """
            Commands by key: "F1": "break ad", "KP1": "focus left". Keys have mpv's or SDL's names, with Ctrl+, Alt+, \
            Shift+ or Meta+ before them. Commands are those of the control socket, which include a command for each \
            usual key; a semicolon separates several. They have precedence over the user's keys.conf. Bound keys also \
            work if window.input is none.
            """),
        LayoutField(
            "schedule", .schedule, \.schedule,
            "Other layouts and their times. The first entry that applies is shown; if none does, the layout itself."),
        LayoutField(
            "breaks",
            .list(...BreakReader.mostBreaks, of: .object(.breakEntry)),
            """
            Items that interrupt some or all tiles at certain times. Afterwards each tile goes on with its own \
            sequence.
            """),
        LayoutField(
            "compare", .overlaidComparison, \.showing.overlaid,
            "Two tiles that are compared over the whole wall, as by the key c. Escape shows the wall.", saved: .hand),
        LayoutField(
            "tiles", .list(1..., of: .object(.tile)),
            "The tiles of the wall. They are drawn in order, later ones on top.",
            required: "a list of at least one tile"),
    ])

    /// A key needs no type.
    private static let groupsSchema = JSONSchema.named(
        by: .object(JSONSchema.name.members.filter { $0.name != "type" }), of: .object(.group))

    private static let keysSchema = JSONSchema.named(by: ["minLength": .integer(1)], of: .text)
}

extension JSONSchema {
    /// A name that commands can tell from their other words.
    fileprivate static let name = text.with([
        "pattern": .text("^[^/]*$"), "not": ["enum": .list(wordsOfCommands.map { .text($0) })],
    ])
}

extension FieldKind<String> {
    /// The reader of the whole layout refuses other names.
    static var name: FieldKind { text("a name that is not empty", .name) }
}

extension FieldKind {
    fileprivate static var pipelines: FieldKind<PipelineCount> {
        .init(
            .any(.whole(1...64), .words(["auto"])),
            read: { $0.string == "auto" ? .auto : $0.whole(1...64, instead: " or \"auto\"").map { .count($0) } },
            write: { if case .count(let count) = $0 { .integer(count) } else { .text("auto") } })
    }

    fileprivate static var overflow: FieldKind<Overflow> {
        let words: [(String, Overflow)] = [
            ("rotate", .rotate(every: .seconds(10))), ("first", .first), ("largest", .largest),
        ]
        return .init(
            .any(.words(words.map(\.0)), .object(.overflow)),
            read: { node in
                if let known = words.first(where: { $0.0 == node.string }) { return known.1 }
                guard node.isObject, let fields = node.fields(of: .overflow) else {
                    return node.refusedWord(among: words.map(\.0), instead: ["{\"rotate\": seconds}"])
                }
                return fields.object(OverflowTurns.self).length.map { .rotate(every: $0) }
            },
            write: {
                guard case .rotate(let length) = $0 else { return nil }
                return ["rotate": length.written]
            })
    }

    fileprivate static var framePart: FieldKind<FramePart> {
        let right = "[x, y, side], three numbers from 0 to 1 of which the last is above 0, would be right"
        return .init(
            JSONSchema.tuple(.number(0...1), .number(0...1), .number(FramePart.leastSide...1)),
            read: { node in
                guard let numbers = node.elements, numbers.count == 3 else { return node.refused(right: right) }
                guard let x = numbers[0].number(0...1, right: right), let y = numbers[1].number(0...1, right: right),
                    let side = numbers[2].number(FramePart.leastSide...1, right: right)
                else { return nil }
                guard x + side <= 1 + 1e-6, y + side <= 1 + 1e-6 else {
                    return node.refused("the part lies beyond the frame; \(right)")
                }
                return FramePart(x: x, y: y, side: side)
            },
            write: { part in
                .list([part.x, part.y, part.side].map { .plain(($0 * 1e6).rounded() / 1e6) })
            })
    }
}

/// The turns of tiles that are more than there are pipelines.
struct OverflowTurns: DefaultFieldOwner {
    var length: Time?

    static let fields = FieldTable<OverflowTurns>([
        LayoutField(
            "rotate", .time(.milliseconds(100)...(.seconds(86400))), \.length,
            "Length of a turn, from 0.1 s to a day.", default: .seconds(10),
            required: "{\"rotate\": seconds}")
    ])
}

extension WindowLayout: DefaultFieldOwner {
    static let fields = FieldTable<WindowLayout>([
        LayoutField("size", .size(16...16384), \.size, "[width, height] in pixels.", saved: .options),
        LayoutField(
            "position", .point(-65536...65536), \.position,
            "[x, y] in pixels from the display's upper left corner. Default: centred.", saved: .options),
        LayoutField("display", .whole(0...255), \.display, "The display's number.", saved: .options),
        LayoutField(
            "fullscreen", .flag(.on, .off, or: "while-playing", .whilePlaying), \.fullscreen,
            "while-playing: full screen when playback begins; windowed again when the last sequence has ended.",
            saved: .options),
        LayoutField(
            "borderless", .flag, \.isBorderless, "The window has no title bar and no frame.", saved: .options),
        LayoutField(
            "background", .color, \.background, "Background colour where no tile covers the window: #rrggbb."),
        LayoutField(
            "input", .word([.all, .none]), \.input,
            """
            none: the pointer and all keys except those in the layout's keys do nothing, for a kiosk. Signals, closing \
            the window and the control socket still end the wall.
            """),
    ])
}

/// The grid as the layout states it. Numbers of columns and rows are nil if they follow from the tiles.
struct StatedGrid: DefaultFieldOwner {
    var columns: Int?
    var rows: Int?
    var gap = 0
    var margin = 0

    static let fields = FieldTable<StatedGrid>([
        LayoutField(
            "columns", .whole(1...64), \.columns,
            """
            Number of columns. Default: the square root of the number of tiles, rounded up; if rows is given, as many \
            as the tiles need.
            """),
        LayoutField(
            "rows", .whole(1...64), \.rows,
            "Number of rows. Default: the number of tiles divided by the columns, rounded up; more if spans need them."
        ),
        LayoutField(
            "gap", .whole(0...16384), \.gap,
            "Distance between cells, in pixels of window.size. It scales with the window."),
        LayoutField(
            "margin", .whole(0...16384), \.margin,
            "Width of the border around all cells, in pixels of window.size. It scales with the window."),
    ])
}

extension GroupLayout: FieldOwner {
    static let initial = GroupLayout(name: "")

    static let fields = FieldTable<GroupLayout>([
        LayoutField(
            "loop", .word([.each, .together]), \.loop,
            "each: every tile loops by itself. together: all tiles begin each iteration at one instant.",
            saved: .options),
        LayoutField(
            "until", .word([.longest, .shortest]), \.until,
            "With together: which of the tiles' lengths ends an iteration."),
        LayoutField(
            "at", .time, \.at, "Position of the group's clock when the wall begins.", default: .zero, saved: .options),
        LayoutField(
            "rate", .rate, \.rate, "Rate of the group's clock.", default: .one, saved: [.hand, .options]),
        LayoutField(
            "part", .framePart, \.part,
            """
            [x, y, side]: the part of their frames that the tiles show, in fractions of the frame: its left and upper \
            edges, and its width and height. Default: [0, 0, 1], the whole frame.
            """,
            saved: .hand),
    ])
}
