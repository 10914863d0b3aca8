import Screen
import WallCore

/// Input events ─▶ commands, as the layout's `window.input` allows.
public struct Controls: Sendable {
    private let input: WindowInput
    private var drag = Drag()

    public init(input: WindowInput) { self.input = input }

    public mutating func commands(for event: InputEvent) -> [Command] {
        switch (event, input) {
        case (.window(.closeRequested), _):
            return [.window(.quit(0))]
        case (_, .none), (.displayIsGone, _):
            return []
        case (.keyDown(let key, let modifiers, let press), .all):
            return KeyTable.command(for: key, modifiers, isRepeated: press == .repeated).map { [$0] } ?? []
        case (_, .all):
            return drag.commands(for: event)
        }
    }
}
