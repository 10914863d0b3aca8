import Base

/// Commands that keys, the control socket and all other senders of text commands may use.
public enum CommandTable {
    public static let specs: [CommandSpec] =
        properties + time + sequence + sound + view + comparison + window + tests + program

    private static let properties: [CommandSpec] = [
        CommandSpec("set", [.text("name", .property), .text("value")], "sets a property") { given in
            given.text(0).flatMap { name in given.values[1].map { .property(name, .set($0), .group) } }
        },
        CommandSpec(
            "add", [.text("name", .property), .number("value").optional], repeats: true, "adds a number to a property"
        ) { given in
            if given.values[1] != nil, given.number(1) == nil { return nil }
            return given.text(0).map { .property($0, .add(given.number(1) ?? 1), .group) }
        },
        CommandSpec("multiply", [.text("name", .property), .number("value")], repeats: true, "multiplies a property") {
            given in
            given.text(0).flatMap { name in given.number(1).map { .property(name, .multiply($0), .group) } }
        },
        CommandSpec(
            "cycle", [.text("name", .property), .text("value").optional],
            "sets the next value of a property; down: the previous one"
        ) { given in
            let way = given.text(1) ?? "up"
            guard ["up", "down", "1", "-1"].contains(way) else { return nil }
            return given.text(0).map { .property($0, .cycle(isUp: way == "up" || way == "1"), .group) }
        },
        CommandSpec("cycle-values", [], more: true, naming: .property, "sets the next of these values of a property") {
            given in
            var words = given.more
            let isDown = words.first == .text("!reverse")
            if isDown { words.removeFirst() }
            guard words.count >= 2, let name = words.removeFirst().asText else { return nil }
            return .property(name, .cycleValues(words, isUp: !isDown), .group)
        },
    ]

    private static let time: [CommandSpec] = [
        CommandSpec(
            "seek", [.text("target"), .flags("flags"), .flags("legacy")], repeats: true,
            "by seconds; absolute, relative-percent, ...",
            seek),
        CommandSpec("frame-step", [], repeats: true, "one frame forward", .step(by: 1, .group)),
        CommandSpec("frame-back-step", [], repeats: true, "one frame back", .step(by: -1, .group)),
        CommandSpec(
            "frame-step-any", [], repeats: true, "to the next frame of any tile of the group", .stepOfAny(by: 1)),
        CommandSpec(
            "frame-back-step-any", [], repeats: true, "to the frame before, of any tile of the group",
            .stepOfAny(by: -1)),
        CommandSpec("home", [], "to the start, all tiles of the group in step", .home(.group)),
        CommandSpec("end", [], "to the last frame of the item, and pauses", .end(.group)),
        CommandSpec("speed-up", [], repeats: true, "a tenth faster; stops at 0.5, 1 and 2", .rate(.faster, .group)),
        CommandSpec("speed-down", [], repeats: true, "a tenth slower; stops at 0.5, 1 and 2", .rate(.slower, .group)),
        CommandSpec("ab-loop", [], "A-B loop: sets A, then B, then ends it", .abLoop(.next, .group)),
        CommandSpec(
            "nudge", [.text("id", .tile), .number("seconds")], repeats: true, "moves a tile further ahead, by seconds"
        ) { given in
            given.text(0).flatMap { id in given.time(1).map { .to(.named(id), .nudge(by: $0)) } }
        },
        CommandSpec(
            "nudge-seconds", [.number("seconds")], repeats: true, "moves the focused tile further ahead, by seconds"
        ) { $0.time(0).map { .nudge(by: $0) } },
        CommandSpec(
            "nudge-frames", [.integer("frames")], repeats: true, "moves the focused tile further ahead, by its frames"
        ) { $0.integer(0, in: -1000...1000).map { .nudgeByFrame($0) } },
    ]

    private static let sequence: [CommandSpec] = [
        CommandSpec(
            "break", [.text("name", .break)],
            "plays a break of the layout, when an item ends or at once; none: ends the break"
        ) { $0.text(0).map { $0 == "none" ? .endBreaks : .playBreak($0) } },
        CommandSpec("playlist-next", [.flags("flags")], repeats: true, "the next item", .item(by: 1)),
        CommandSpec("playlist-prev", [.flags("flags")], repeats: true, "the previous item", .item(by: -1)),
        CommandSpec(
            "playlist-play-index", [.text("index")], "plays this item, from 0; current: from its start; none: stops"
        ) { given in
            switch given.text(0) {
            case "none": .sequence(.stop)
            case "current": .goToItem(nil)
            default: given.integer(0).map { .goToItem($0) }
            }
        },
        CommandSpec(
            "loadfile", [.text("url", .medium), .flags("flags"), .text("index").optional, .text("options").optional],
            "replace, append, append-play or insert-next", load),
        CommandSpec("playlist-clear", [], "removes all items but the one on screen", .sequence(.clear)),
        CommandSpec("playlist-remove", [.text("index")], "removes an item, from 0; current: the one on screen") {
            $0.text(0) == "current" ? .sequence(.remove(nil)) : $0.integer(0).map { .sequence(.remove($0)) }
        },
        CommandSpec(
            "playlist-move", [.integer("index1"), .integer("index2")], "moves the first item to the second's place"
        ) { given in
            given.integer(0).flatMap { from in given.integer(1).map { .sequence(.move(from, to: $0)) } }
        },
        CommandSpec("stop", [.flags("flags")], "the tile plays nothing", .sequence(.stop)),
        CommandSpec(
            "retry", [.text("id", .tile).optional],
            "tries at once what has failed on the focused tile, or on that tile; all: on every tile"
        ) { given in
            guard let id = given.text(0) else { return .retry(.tile) }
            return id == "all" ? .retry(.all) : .to(.named(id), .retry(.tile))
        },
        CommandSpec(
            "record", [.text("id", .tile)],
            "records the microphone, or a camera's own sound, while that tile plays; none: ends the recording"
        ) { $0.text(0).map { $0 == "none" ? .record(.off) : .to(.named($0), .record(.on)) } },
        CommandSpec("take-use", [.text("id", .tile)], "adds the last recording to the sound of that tile's item") {
            $0.text(0).map { .to(.named($0), .useTake) }
        },
    ]

    private static let sound: [CommandSpec] = [
        CommandSpec("cycle-tile-mute", [], "mutes the focused tile, and back", .mute(.toggle, .tile)),
        CommandSpec("add-tile-volume", [.integer("value")], repeats: true, "adds a number to the focused tile's volume")
        { $0.integer(0, in: -100...100).map { .volume(.by($0), .tile) } },
        CommandSpec("cycle-stem-mute", [.integer("number")], "mutes a stem of the item, from 0, and back") {
            $0.integer(0, in: 0...1_000_000).map { .stems([Change.StemChange(.number($0), mute: .toggle)]) }
        },
        CommandSpec("solo", [.text("value").optional], "the focused tile alone is heard: yes or no; else the other") {
            $0.isMissing(0) ? .solo(.toggle) : $0.values[0]?.asFlag.map { .solo($0 ? .on : .off) }
        },
        CommandSpec(
            "cycle-record", [], "records the microphone, or a camera's own sound, with the focused tile; ends it",
            .record(.toggle)),
    ]

    private static let view: [CommandSpec] = [
        CommandSpec("focus", [.text("id", .tile)], "moves the focus to that tile") {
            $0.text(0).map { .to(.named($0), .focus(.target)) }
        },
        CommandSpec("focus-number", [.integer("number")], repeats: true, "moves the focus to that tile, from 1") {
            $0.integer(0, in: 1...1_000_000).map { .focus(.number($0)) }
        },
        CommandSpec("zoom", [.text("id", .tile)], "fills the wall with that tile; none: shows all tiles") {
            $0.text(0).map { $0 == "none" ? .zoom(.off) : .to(.named($0), .zoom(.target)) }
        },
        CommandSpec("cycle-zoom", [], "fills the wall with the focused tile, and back", .zoom(.toggle)),
        CommandSpec(
            "magnify", [.number("scale")], repeats: true,
            "pixels of the window for one of the group's frames, to 16; 0: whole; below 0: magnify-step"
        ) { given in
            guard let scale = given.number(0), (-100...16).contains(scale) else { return nil }
            if scale >= 0 { return .magnify(scale > 0 ? .to(scale) : .all, at: nil) }
            return given.integer(0, in: -100 ... -1).map { .magnify(.steps(Double($0)), at: nil) }
        },
        CommandSpec(
            "magnify-step", [.integer("steps")], repeats: true, "magnifies by steps of 1.25; below 0: reduces"
        ) { $0.integer(0, in: -100...100).map { .magnify(.steps(Double($0)), at: nil) } },
        CommandSpec("magnify-reset", [], "shows whole frames", .magnify(.all, at: nil)),
        CommandSpec(
            "sub-add", [.text("url", .file), .text("flags").optional],
            "adds a file of subtitles to the film on screen and shows it; auto: only adds it"
        ) { given in
            guard let file = given.text(0) else { return nil }
            return switch given.text(1) ?? "select" {
            case "select", "cached": .addSubtitles(file, .shown)
            case "auto": .addSubtitles(file, .kept)
            default: nil
            }
        },
        CommandSpec(
            "show-text", [.text("text"), .text("duration").optional, .integer("level").optional],
            "shows a text over the wall, for milliseconds"
        ) { given in
            let milliseconds = given.number(1).map { $0 < 0 ? 1000 : min($0, 1e9) } ?? 1000
            return given.text(0).map { .showText($0, for: .milliseconds(Int64(milliseconds))) }
        },
        CommandSpec("next-up", [.text("text")], "shows on the tile what or who comes next; empty: nothing") {
            $0.text(0).map { .nextUp($0) }
        },
        CommandSpec(
            "screenshot-to-file", [.text("filename", .file), .flags("flags")],
            "saves the wall as a PNG; for a tile, or with video: its frame in its own size", screenshot),
        CommandSpec("snapshot", [.text("filename", .file), .flags("flags")], "the same", screenshot),
    ]

    private static let comparison: [CommandSpec] = [
        CommandSpec(
            "compare", [.text("a", .tile), .text("b", .tile).optional, .text("mode").optional],
            "compares two tiles over the whole wall; none: ends that"
        ) { given in
            guard let first = given.text(0) else { return nil }
            guard let second = given.text(1) else { return first == "none" ? .compare(.off) : nil }
            if given.isMissing(2) { return .to(.named(first), .compare(.with(second, nil))) }
            return given.text(2).flatMap(ComparisonMode.init(rawValue:)).map {
                .to(.named(first), .compare(.with(second, $0)))
            }
        },
        CommandSpec(
            "cycle-compare", [], "compares the focused tile with the one focused before, and back", .compare(.toggle)),
        CommandSpec("cycle-compare-mode", [.text("way").optional], "the next way of comparing; down: the previous one")
        {
            switch $0.text(0) ?? "up" {
            case "up": .compare(.mode(by: 1))
            case "down": .compare(.mode(by: -1))
            default: nil
            }
        },
        CommandSpec("compare-change-sides", [], "shows the other tile, or changes sides", .compare(.changeSides)),
        CommandSpec("compare-turn-line", [], "turns the line of a wipe", .compare(.turnLine)),
        CommandSpec("compare-gain", [.text("change")], "of a difference: double, halve, a number, or auto") { given in
            switch given.text(0) {
            case "double": .compare(.gainDoubled)
            case "halve": .compare(.gainHalved)
            case "auto": .compare(.gain(nil))
            default: given.number(0).flatMap { (0.125...64).contains($0) ? .compare(.gain($0)) : nil }
            }
        },
        CommandSpec(
            "next-worst", [], "pauses at the worst frame that figures have measured, then at the next worst", .nextWorst
        ),
    ]

    private static let window: [CommandSpec] = [
        CommandSpec(
            "screenshot", [.flags("flags")],
            "the same into the folder of pictures, named by date, time and tile, and shows the path"
        ) { .program(.screenshot(pictured($0.flags(0)), to: nil)) },
        CommandSpec("layout-save-report", [], "layout-save, and shows the file's name", .window(.saveLayout)),
        CommandSpec(
            "picture-in-picture", [], "the focused tile in a small window, and back", .window(.pictureInPicture)),
        CommandSpec("raise", [], "brings the window to the front", .window(.raise)),
        CommandSpec("cycle-info", [], "shows information on each tile, and back", .window(.info)),
        CommandSpec("cycle-help", [], "shows the keys, and back", .window(.help)),
        CommandSpec("escape", [], "closes the help; else ends the zoom; else leaves full screen", .program(.escape)),
    ]

    private static let tests: [CommandSpec] = [
        CommandSpec("blind-show", [.text("clip")], "in a blind test: shows a, b or x") {
            $0.text(0).flatMap(Change.Blind.Sight.init(rawValue:)).map { .blind(.show($0)) }
        },
        CommandSpec("blind-answer", [], "in a blind test: x is the clip that is seen", .blind(.answer)),
        CommandSpec("keep-delay", [], "in a test by eye: flash and click meet", .keepDelay),
    ]

    private static let program: [CommandSpec] = [
        CommandSpec("layout-load", [.text("file", .layout)], "loads another layout; tiles in both play on") {
            $0.text(0).map { .program(.loadLayout($0)) }
        },
        CommandSpec("layout-reload", [], "loads the layout's file again", .program(.reloadLayout)),
        CommandSpec(
            "layout-save", [.text("file", .layout).optional],
            "saves changes made by hand and on the command line into the layout"
        ) { .program(.saveLayout($0.text(0))) },
        CommandSpec("keypress", [.text("name", .key)], "presses a key") { $0.text(0).map { .program(.press($0)) } },
        CommandSpec("keybind", [.text("name", .key), .text("cmd", .command)], "binds a key to a command") { given in
            given.text(0).flatMap { key in given.text(1).map { .program(.bind(key, to: $0)) } }
        },
        CommandSpec("quit", [.integer("code").optional], "quits with this exit status, from 0 to 255") {
            $0.isMissing(0) ? .window(.quit(0)) : $0.integer(0, in: 0...255).map { .window(.quit($0)) }
        },
        CommandSpec("ignore", [], "nothing", .nothing),
        // The socket and the router carry these out.
        CommandSpec(
            "tile", [.text("id", .tile)], more: true, naming: .command, "ID [alone] COMMAND: a command for that tile",
            nil),
        CommandSpec(
            "group", [.text("name", .group)], more: true, naming: .command,
            "NAME COMMAND: a command for each tile of that group; once if it is about time or the wall", nil),
        CommandSpec(
            "alone", [], more: true, naming: .command, "COMMAND: a command about time, for the focused tile alone", nil),
        CommandSpec("script-message", [], more: true, "a client-message to every client", .nothing),
        CommandSpec("script-message-to", [.text("target")], more: true, "to one of them", .nothing),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: specs.map { ($0.name, $0) })

    /// Returns the change that a command asks for. Throws if no command has this name, or if it does not take these
    /// arguments.
    public static func change(
        _ name: String, _ arguments: [PropertyValue], named: [PropertyField] = []
    ) throws(ControlError) -> Change {
        guard let spec = byName[name] else { throw complaint(aboutName: name) }
        var values: [PropertyValue?] = []
        for (place, argument) in spec.arguments.enumerated() {
            let value = named[argument.name] ?? (place < arguments.count ? arguments[place] : nil)
            guard value != nil || argument.isOptional else { throw spec.complaint("\(argument.name) is missing") }
            values.append(value)
        }
        let known = Set(spec.arguments.map(\.name))
        if let other = named.first(where: { !known.contains($0.name) }) {
            throw spec.complaint("it has no argument \(other.name.quoted)")
        }
        let more = Array(arguments.dropFirst(spec.arguments.count))
        guard spec.takesMore || more.isEmpty else {
            throw spec.complaint("there are \(arguments.count) arguments")
        }
        guard let change = spec.make(CommandArguments(values: values, more: more)) else {
            throw spec.complaint(aboutValues: values)
        }
        return change
    }

    /// Returns the places of the words that name files in a command, which may be for a tile (`tile ID alone COMMAND`).
    public static func files(in command: [String]) -> [Int] {
        guard let first = command.first else { return [] }
        let given = ControlCommand(first, command.dropFirst().map { .text($0) }, client: "")
        guard let inner = try? AddressedCommand(given).command, let spec = byName[inner.name] else { return [] }
        let begin = command.count - inner.arguments.count
        return zip(begin..<command.count, spec.arguments)
            .filter { [.file, .layout, .medium].contains($1.names) }.map(\.0)
    }

    /// Returns true if a key repeats the command of this name while it is held down.
    static func repeats(_ name: String) -> Bool { byName[name]?.repeats ?? false }

    /// Returns true if there is a command of this name.
    public static func contains(_ name: String) -> Bool { byName[name] != nil }

    static func checkName(_ name: String) throws(ControlError) {
        if byName[name] == nil { throw complaint(aboutName: name) }
    }

    private static func complaint(aboutName name: String) -> ControlError {
        let verbs = ["client-name", "get-", "set-property", "observe-property", "unobserve-", "enable-", "disable-"]
        if verbs.contains(where: name.hasPrefix) {
            let word = String(name.map { $0 == "-" ? "_" : $0 }).cut()
            return ControlError(
                .invalidParameter, because: "\(word) is for requests in JSON: {\"command\": [\"\(word)\", ...]}")
        }
        let near = nearest(to: name, among: specs.map(\.name)).map { "; did you mean \($0.quoted)?" }
        return ControlError(
            .invalidParameter,
            because: "no command is called \(name.quoted)\(near ?? "; the property command-list names them")")
    }

    private static func seek(_ given: CommandArguments) -> Change? {
        // mpv accepts the precision in an argument of its own, too.
        var flags = given.flags(1).union(given.flags(2))
        let toKeyFrame = flags.remove("keyframes") != nil
        if flags.remove("exact") != nil, toKeyFrame { return nil }
        // An older form of mpv's flags has "percent", too.
        if flags.contains("absolute-percent") || flags.contains("relative-percent") { flags.remove("percent") }
        guard flags.count <= 1, let target = given.number(0) ?? given.time(0)?.seconds, abs(target) <= 1e9 else {
            return nil
        }
        let seek: Change.Seek
        switch flags.first ?? "relative" {
        case "relative": seek = .by(Time(seconds: target))
        case "absolute": seek = .to(Time(seconds: target))
        case "relative-percent": seek = .byPercent(target)
        case "absolute-percent": seek = .toPercent(target)
        default: return nil
        }
        return toKeyFrame ? .seekToKeyFrame(near: seek, .group) : .seek(seek, .group)
    }

    private static func screenshot(_ given: CommandArguments) -> Change? {
        given.text(0).map { .program(.screenshot(pictured(given.flags(1)), to: $0)) }
    }

    /// mpv's flag for the frame without anything over it is `video`; its others mean the wall here.
    private static func pictured(_ flags: Set<String>) -> Change.Pictured {
        flags.contains("video") ? .tile : .wall
    }

    private static func load(_ given: CommandArguments) -> Change? {
        guard let source = given.text(0), !source.isEmpty else { return nil }
        let flag = given.text(1) ?? "replace"
        return (flag == "insert-next-play" ? .insertNext : Change.Loading(rawValue: flag)).map { .load(source, $0) }
    }
}
