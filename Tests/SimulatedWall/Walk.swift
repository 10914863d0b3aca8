@testable import Base
@testable import Commands
@testable import Layout
@testable import Player

/// One action on a wall in a random walk. Its text is a word and JSON, so that a walk can be kept in a file.
enum WalkAction: Equatable {
    /// A layout's text, which may be wrong.
    case layout(PropertyValue)
    /// A command as a client of the control socket sends it.
    case command([PropertyValue])
    /// A key, by mpv's name.
    case key(String)
    /// A pointer event, with a position in the window or a distance.
    case pointer(Pointer, Int, Int)
    /// Time that passes, in milliseconds.
    case elapse(Int)
    /// A report from the program around the wall.
    case shell(Shell, Int)

    enum Pointer: String, CaseIterable {
        case click, doubleClick, tap, doubleTap, began, moved, ended, wheel, upright
    }

    enum Shell: String, CaseIterable {
        case resize, suspend, resume, noFrames, frames, showOnly, warmHidden, breakOff, fileChanged, drawn
        case pipelines, offerTakes, monitored, sounds, figures, recordingEnded, posters, postersFail
    }

    var text: String {
        switch self {
        case .layout(let layout): "layout " + JSONWriter.text(layout)
        case .command(let words): "command " + JSONWriter.text(.list(words))
        case .key(let name): "key " + name
        case .pointer(let kind, let x, let y): "pointer \(kind.rawValue) \(x) \(y)"
        case .elapse(let milliseconds): "pass \(milliseconds)"
        case .shell(let kind, let number): "shell \(kind.rawValue) \(number)"
        }
    }

    init?(text: String) {
        guard let space = text.firstIndex(of: " ") else { return nil }
        let rest = String(text[text.index(after: space)...]), words = rest.split(separator: " ").map(String.init)
        switch text[..<space] {
        case "layout":
            guard let layout = PropertyValue(json: rest) else { return nil }
            self = .layout(layout)
        case "command":
            guard case .list(let words)? = PropertyValue(json: rest) else { return nil }
            self = .command(words)
        case "key": self = .key(rest)
        case "pointer":
            guard words.count == 3, let kind = Pointer(rawValue: words[0]), let x = Int(words[1]), let y = Int(words[2])
            else { return nil }
            self = .pointer(kind, x, y)
        case "pass":
            guard let milliseconds = Int(rest) else { return nil }
            self = .elapse(milliseconds)
        case "shell":
            guard words.count == 2, let kind = Shell(rawValue: words[0]), let number = Int(words[1]) else { return nil }
            self = .shell(kind, number)
        default: return nil
        }
    }
}

/// Draws the actions of a walk. The same seed draws the same actions, whatever the wall does.
struct Walk {
    private var layouts: WalkLayouts
    private var random: Seeded
    private let sources: [String]
    /// Names of the properties that the program around the wall has.
    private let programProperties: [String]

    init(schema: PropertyValue, sources: [String], programProperties: [String], seed: UInt64) {
        layouts = WalkLayouts(schema: schema, sources: sources, seed: seed &* 6_364_136_223_846_793_005 &+ 1)
        random = Seeded(state: seed)
        (self.sources, self.programProperties) = (sources, programProperties)
    }

    /// Returns the actions of a walk. The first is a layout.
    static func actions(
        _ count: Int, schema: PropertyValue, sources: [String], programProperties: [String] = [], seed: UInt64
    ) -> [WalkAction] {
        var walk = Walk(schema: schema, sources: sources, programProperties: programProperties, seed: seed)
        var layout = walk.layouts.layout()
        // A walk begins on a wall that plays.
        while !isTaken(layout) { layout = walk.layouts.layout() }
        var actions = [WalkAction.layout(layout)]
        while actions.count < count {
            let action = walk.next(after: &layout)
            actions.append(action)
        }
        return actions
    }

    private static func isTaken(_ layout: PropertyValue) -> Bool {
        if case .layout = LayoutReader.read(JSONWriter.bytes(of: layout), path: "/w/wall.json") { true } else { false }
    }

    /// A layout with a mistake changes nothing, so the next edit starts from the one that plays.
    private func drawn(_ new: PropertyValue, after layout: inout PropertyValue) -> PropertyValue {
        if Self.isTaken(new) { layout = new }
        return new
    }

    private mutating func next(after layout: inout PropertyValue) -> WalkAction {
        switch random.upTo(20) {
        case 0:
            return .layout(drawn(layouts.layout(), after: &layout))
        case 1...4:
            return .layout(drawn(layouts.edited(layout), after: &layout))
        case 5...10: return .command(command())
        case 11, 12: return .key(key())
        case 13, 14:
            return .pointer(
                WalkAction.Pointer.allCases[random.upTo(WalkAction.Pointer.allCases.count)], random.upTo(700) - 20,
                random.upTo(400) - 20)
        case 15:
            return .shell(
                WalkAction.Shell.allCases[random.upTo(WalkAction.Shell.allCases.count)], random.upTo(12))
        default:
            return .elapse(random.onceIn(2) ? random.upTo(40) : random.upTo(random.onceIn(8) ? 4000 : 400))
        }
    }

    // MARK: commands

    private mutating func any<Value>(_ values: [Value]) -> Value { values[random.upTo(values.count)] }

    private mutating func command() -> [PropertyValue] {
        let words = plainCommand()
        guard random.onceIn(2), words.first != .text("tile") else { return words }
        let alone: [PropertyValue] = random.onceIn(3) ? [.text("alone")] : []
        return [.text("tile"), .text(any(WalkLayouts.tileNames))] + alone + words
    }

    private mutating func plainCommand() -> [PropertyValue] {
        switch random.upTo(10) {
        case 0: return [.text("get_property"), .text(property(settable: false))]
        case 1, 2: return [.text("set_property"), .text(property(settable: true)), value()]
        default: break
        }
        let spec = any(CommandTable.specs.filter { !["quit", "tile", "alone"].contains($0.name) })
        var words: [PropertyValue] = [.text(spec.name)]
        for argument in spec.arguments {
            if argument.isOptional, random.onceIn(2) { break }
            words.append(random.onceIn(20) ? value() : self.argument(argument.name, of: spec.name))
        }
        if spec.takesMore { for _ in 0..<random.upTo(4) { words.append(value()) } }
        return words
    }

    private mutating func argument(_ name: String, of command: String) -> PropertyValue {
        switch (command, name) {
        case ("keypress", _), ("keybind", "name"): return .text(key())
        case ("keybind", _): return .text(any(["seek 1", "cycle pause", "keypress n", "tile a alone seek -1"]))
        case ("break", _): return .text(any(WalkLayouts.breakNames + ["none"]))
        case ("seek", "target"): return .number(any([-5, -0.04, 0, 0.1, 1, 2.5, 50, 99, 1e9]))
        case ("seek", _):
            return .text(any(["relative", "absolute", "relative-percent", "absolute-percent", "absolute+keyframes"]))
        case ("loadfile", "flags"): return .text(any(["replace", "append", "append-play", "insert-next"]))
        case (_, "url"): return .text(any(sources))
        case (_, "id"), (_, "a"), (_, "b"): return .text(any(WalkLayouts.tileNames + ["none"]))
        case (_, "number"), (_, "frames"), (_, "steps"): return .integer(random.upTo(6) - 2)
        case (_, "clip"): return .text(any(["a", "b", "x"]))
        case (_, "change"): return .text(any(["double", "halve"]))
        case (_, "way"): return .text(any(["up", "down"]))
        case (_, "mode"): return .text(any(ComparisonMode.allCases.map(\.rawValue)))
        case (_, "seconds"): return .number(any([-1, -0.04, 0.04, 0.5, 100_000_000]))
        case (_, "index"), (_, "index1"), (_, "index2"):
            return random.onceIn(5) ? .text("current") : .integer(random.upTo(5) - 1)
        case ("multiply", "name"), ("add", "name"), ("cycle", "name"), ("set", "name"):
            return .text(property(settable: true))
        case (_, "file"), (_, "filename"): return .text("walk-\(random.upTo(3))")
        case (_, "value"): return value()
        default: return value()
        }
    }

    private mutating func property(settable: Bool) -> String {
        let specs = Wall.properties.specs.filter { !settable || $0.isSettable }
        let place = random.upTo(specs.count + programProperties.count)
        guard place < specs.count else { return programProperties[place - specs.count] }
        let spec = specs[place]
        switch spec.scope {
        case .group: return "groups/\(any(WalkLayouts.groupNames))/\(spec.name)"
        case .namedTile: return "tiles/\(any(WalkLayouts.tileNames))/\(spec.name)"
        case .tile: return random.onceIn(2) ? spec.name : "tiles/\(any(WalkLayouts.tileNames))/\(spec.name)"
        case .wall, .program: return spec.name
        }
    }

    private mutating func value() -> PropertyValue {
        switch random.upTo(12) {
        case 0: .flag(random.onceIn(2))
        case 1: .text(any(WalkLayouts.tileNames + ["none"]))
        case 2: .text(any(["yes", "no", "inf", "auto", ""]))
        case 3: .number(any([0, -1, 0.25, 0.5, 1.5, 4, 1e9, -1e9, 1e300]))
        case 4: .null
        case 5: .list([])
        default: .integer(any([0, 1, 2, 3, 5, -1, -12, 100, 1_000_000]))
        }
    }

    private mutating func key() -> String {
        let names = [
            "SPACE", ".", ",", "LEFT", "RIGHT", "UP", "DOWN", "HOME", "END", "[", "]", "{", "}", "+", "-", "BS", "TAB",
            "ENTER", "ESC", "0", "1", "2", "3", "9", "a", "b", "c", "d", "e", "f", "g", "i", "j", "k", "l", "m", "n",
            "o", "p", "r", "s", "t", "u", "v", "w", "x", "y", "z",
        ]
        return any(["", "", "", "", "", "Shift+", "Ctrl+", "Alt+"]) + any(names)
    }
}
