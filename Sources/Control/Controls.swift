import Commands
import Layout

/// Turns input events into changes, by the table of keys and as far as the layout's `window.input` allows.
public struct Controls: Sendable {
    private let input: WindowInput
    private let keys: @Sendable () -> KeyTable
    private var drag = Drag()

    /// `keys` is called at the first event that needs the table.
    public init(input: WindowInput, keys: @escaping @Sendable () -> KeyTable = { .wall }) {
        (self.input, self.keys) = (input, keys)
    }

    public mutating func changes(for event: InputEvent) -> [Change] {
        switch (event, input) {
        case (.window(.closeRequested), _): return [.window(.quit(0))]
        case (_, .none), (.displayIsGone, _): return []
        case (.keyDown(let key, let modifiers, let press), .all):
            return keys().change(for: key, modifiers, isRepeated: press == .repeated).map { [$0] } ?? []
        case (.typed(let key, _, let press), .all):
            return keys().change(for: key, [], isRepeated: press == .repeated).map { [$0] } ?? []
        case (_, .all): return drag.changes(for: event).filter { keys().allows($0) }
        }
    }
}
