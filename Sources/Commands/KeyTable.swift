import Base

/// A line of the table with the commands of its keys.
public struct KeyRow: Sendable {
    let line: KeyLine
    let bindings: [KeyBinding]

    public init(_ keys: String, _ does: String, _ bindings: [KeyBinding] = []) {
        (line, self.bindings) = (KeyLine(keys, does), bindings)
    }
}

/// One key's command.
public struct KeyBinding: Hashable, Sendable {
    let key: Key
    let shift: Shift
    /// nil if the key has a command only with Ctrl or Alt.
    let command: Command?
    /// Command with Ctrl. For a command about time, the same command for the focused tile alone.
    let withControl: Command?
    let withAlt: Command?
    let held: Held

    public enum Shift: Sendable { case pressed, released, either }
    /// Effect of holding a key down: changes of amounts repeat, switches do not.
    public enum Held: Sendable { case repeats, once }

    public init(
        _ key: Key, _ command: Command?, control withControl: Command? = nil, _ held: Held = .once,
        shift: Shift = .either
    ) {
        (self.key, self.shift, self.held) = (key, shift, held)
        (self.command, self.withControl, withAlt) = (command, withControl, nil)
    }

    /// A command about time, which may be for the focused tile alone.
    init(
        _ key: Key, time command: (Command.Scope) -> Command, alt withAlt: Command? = nil, _ held: Held = .once,
        shift: Shift = .either
    ) {
        (self.key, self.shift, self.held) = (key, shift, held)
        (self.command, withControl, self.withAlt) = (command(.group), command(.tileAlone), withAlt)
    }
}

/// The commands of keys and pointer. The keyboard, the help on screen, `--help` and the README all use this table.
public struct KeyTable: Sendable {
    public let lines: [KeyLine]
    let bindings: [Key: [KeyBinding]]
    private let pointer: Pointer

    /// Commands that wheel, mouse and fingers may send.
    public enum Pointer: Sendable { case everything, magnifying }

    public init(_ rows: [KeyRow], pointer: Pointer = .everything) {
        (lines, self.pointer) = (rows.map(\.line), pointer)
        bindings = Dictionary(grouping: rows.flatMap(\.bindings), by: \.key)
    }

    /// Returns a key's command. A key with a modifier besides Shift, Ctrl and Alt is left to the window manager.
    public func command(for key: Key, _ modifiers: Modifiers, isRepeated: Bool) -> Command? {
        if modifiers.contains(.other) { return nil }
        if modifiers.contains(.control), key == .letter("c") { return isRepeated ? nil : .window(.quit(0)) }
        let key = key.readings.first { bindings[$0] != nil } ?? key
        let shift: KeyBinding.Shift = modifiers.contains(.shift) ? .pressed : .released
        guard let binding = bindings[key]?.first(where: { $0.shift == .either || $0.shift == shift }),
            !isRepeated || binding.held == .repeats
        else { return nil }
        if modifiers.contains(.alt) { return modifiers.contains(.control) ? nil : binding.withAlt }
        return modifiers.contains(.control) ? binding.withControl : binding.command
    }

    /// True if wheel, mouse and fingers may send the command.
    public func allows(_ command: Command) -> Bool {
        switch (pointer, command) {
        case (.everything, _), (.magnifying, .magnify): true
        case (.magnifying, _): false
        }
    }
}
