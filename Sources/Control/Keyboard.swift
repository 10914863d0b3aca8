import Screen
import WallCore

/// The key table: which key asks for what.
public enum Keyboard {
    public static func command(for key: Key, _ modifiers: Modifiers, _ press: InputEvent.Press) -> Command? {
        if modifiers.contains(.other) { return nil }
        let command =
            modifiers.contains(.control)
            ? key == .letter("c") ? .quit : timeCommand(for: key, modifiers, .tileAlone)
            : timeCommand(for: key, modifiers, .group) ?? tileCommand(for: key, modifiers)
        return command.flatMap { press == .repeated && !repeats($0) ? nil : $0 }
    }

    private static func timeCommand(for key: Key, _ modifiers: Modifiers, _ scope: Command.Scope) -> Command? {
        let leap = modifiers.contains(.shift) ? Time.seconds(1) : Time.seconds(5)
        return switch key {
        case .space: .playPause(scope)
        case .period: .step(by: 1, scope)
        case .comma: .step(by: -1, scope)
        case .left: .seek(by: -leap, scope)
        case .right: .seek(by: leap, scope)
        case .home: .home(scope)
        case .leftBracket: .rate(.slower, scope)
        case .rightBracket: .rate(.faster, scope)
        case .backspace: .rate(.reset, scope)
        default: nil
        }
    }

    private static func tileCommand(for key: Key, _ modifiers: Modifiers) -> Command? {
        switch key {
        case .digit(let number): .focus(.number(number))
        case .tab: .focus(modifiers.contains(.shift) ? .previous : .next)
        case .letter("m"): .mute(modifiers.contains(.shift) ? .wall : .tile)
        case .up: .volume(by: 5)
        case .down: .volume(by: -5)
        case .letter("a"): .nextTrack
        case .letter("n"): .item(by: 1)
        case .letter("p"): .item(by: -1)
        case .letter("z"): .zoom
        case .escape: .escape
        case .letter("f"), .f11: .fullscreen
        case .letter("w"): .pictureInPicture
        case .letter("i"): .info
        case .letter("h"), .questionMark: .help
        case .letter("q"): .quit
        default: nil
        }
    }

    /// Whether a key that is held down asks again and again: for amounts yes, for switches no.
    private static func repeats(_ command: Command) -> Bool {
        switch command {
        case .step, .seek, .volume, .focus, .rate(.faster, _), .rate(.slower, _): true
        default: false
        }
    }
}
