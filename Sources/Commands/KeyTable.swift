import Base

/// A line of the table with the commands of its keys.
public struct KeyRow: Sendable {
    let line: KeyLine
    let bindings: [KeyBinding]

    /// `commands`: text commands by the names of their keys. Those of the keycaps in `keys` come first, in their order.
    /// `alone`: further ones ahead of them. With Ctrl these are for the focused tile alone.
    public init(
        _ keys: String, _ description: String, alone: KeyValuePairs<String, String> = [:],
        _ commands: KeyValuePairs<String, String> = [:]
    ) {
        line = KeyLine(keys, description)
        bindings =
            (Array(alone) + commands).map { KeyBinding($0.key, $0.value) }
            + alone.map { KeyBinding("Ctrl+\($0.key)", "alone \($0.value)") }
    }
}

/// One key's command.
public struct KeyBinding: Hashable, Sendable {
    let press: KeyPress
    let command: KeyCommand
    /// The change that `command` stands for.
    let change: Change

    init(_ key: String, _ text: String) {
        guard let press = KeyPress(name: key), let command = try? KeyCommand(text), let change = command.change else {
            preconditionFailure("the table of keys binds \(key.quoted) to \(text.quoted)")
        }
        (self.press, self.command, self.change) = (press, command, change)
    }
}

/// The changes of keys and pointer. The keyboard, the help on screen, `--help` and the manual all use this table.
public struct KeyTable: Sendable {
    public let lines: [KeyLine]
    let bindings: [KeyBinding]
    private let rows: [KeyRow]
    private let byPress: [KeyPress: KeyBinding]
    private let keys: Set<Key>
    private let pointer: Pointer

    /// Changes that wheel, mouse and fingers may ask for.
    public enum Pointer: Sendable { case everything, magnifying }

    /// Reads all commands, which takes milliseconds: a wall makes its table when it first needs one.
    public init(_ rows: [KeyRow], pointer: Pointer = .everything) {
        (self.rows, lines, self.pointer) = (rows, rows.map(\.line), pointer)
        bindings = rows.flatMap(\.bindings)
        byPress = Dictionary(bindings.map { ($0.press, $0) }) { first, _ in first }
        keys = Set(bindings.map(\.press.key))
    }

    /// Ctrl+C, also with Shift or Alt. The binding belongs to every table.
    static let interrupt = KeyBinding("Ctrl+c", "quit")

    /// Returns a key's change. A key with a modifier besides Shift, Ctrl and Alt is left to the window manager.
    public func change(for key: Key, _ modifiers: Modifiers, isRepeated: Bool) -> Change? {
        guard let binding = binding(of: key, modifiers), !isRepeated || binding.command.repeats else { return nil }
        return binding.change
    }

    private func binding(of key: Key, _ modifiers: Modifiers) -> KeyBinding? {
        if modifiers.contains(.other) { return nil }
        if modifiers.contains(.control), key == Self.interrupt.press.key { return Self.interrupt }
        var key = key.readings.first(where: keys.contains) ?? key
        if modifiers.contains(.shift), let brace = Self.braces[key], keys.contains(brace) { key = brace }
        let press = KeyPress(key, modifiers)
        // Shift makes no difference unless a row has the key with these modifiers and Shift.
        return byPress[press] ?? press.withoutShift.flatMap { byPress[$0] }
    }

    /// Returns true if the key has another command with Shift than without.
    public func distinguishesShift(_ press: KeyPress) -> Bool {
        guard let binding = binding(of: press.key, press.modifiers.union(.shift)) else { return false }
        return binding.command != self.binding(of: press.key, press.modifiers.subtracting(.shift))?.command
    }

    /// With Ctrl, many keyboards report a brace as the bracket on the same key.
    private static let braces: [Key: Key] = [.sign("["): .sign("{"), .sign("]"): .sign("}")]

    /// True if wheel, mouse and fingers may ask for the change.
    public func allows(_ change: Change) -> Bool {
        if case .magnify = change { true } else { pointer == .everything }
    }

    /// True if films that are dropped on the window are played.
    public var allowsDrops: Bool { pointer == .everything }

    /// Texts of the commands by their keys.
    public var commands: [KeyPress: String] {
        Dictionary((bindings + [Self.interrupt]).map { ($0.press, $0.command.text) }) { first, _ in first }
    }

    // MARK: keys of the user

    /// Most lines about keys that the user has bound.
    static let mostBound = 16

    /// Returns lines that list other commands for the keys in `bound`.
    public func lines(with bound: [KeyPress: KeyCommand]) -> [KeyLine] {
        if bound.isEmpty { return lines }
        let own = bound.map { KeyLine($0.key.name, $0.value.text.cut()) }.sorted { $0.keys < $1.keys }
        let more = own.count > Self.mostBound ? [KeyLine("\u{2026}", "\(own.count - Self.mostBound) more")] : []
        return rows.compactMap { $0.line(without: bound) } + Array(own.prefix(Self.mostBound)) + more
    }
}

extension KeyRow {
    /// The line without the keycaps of keys in `bound`; nil if no keycap is left. A range of keys stays whole.
    fileprivate func line(without bound: [KeyPress: KeyCommand]) -> KeyLine? {
        if bindings.isEmpty || line.keys.contains("\u{2026}") { return line }
        let caps = line.keys.split(separator: "  ")
        let left = zip(caps, bindings).filter { bound[$0.1.press] == nil }.map(\.0)
        return left.isEmpty ? nil : KeyLine(left.joined(separator: "  "), line.description)
    }
}
