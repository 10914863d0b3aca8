import Base
import Commands
import Control
import Files
import Glibc
import Layout
import Screen

/// Keys and pointer of the window, as far as the layout allows them. Main thread only.
struct UserInput {
    private let window: Window
    private let router: CommandRouter
    /// Returns the wall's table of keys. Called first when a key is pressed, since the table takes time to make.
    private let keys: @Sendable () -> KeyTable
    private var allowed: WindowInput
    private var controls: Controls
    private var pointer = PointerRest()
    /// True if a binding of the key that is down handled it: the character that it types is then ignored. A binding of
    /// the key without Shift leaves that character its own meaning.
    private var isKeyBound = false
    /// True if a binding handled the last event.
    private var ranBinding = false

    /// True if the last event is to show marks and notices, as a key of the table does. Locked keys of a kiosk show none.
    var showsMarks: Bool { ranBinding && allowed == .all }

    init(
        _ allowed: WindowInput, of window: Window, _ router: CommandRouter, keys: @escaping @Sendable () -> KeyTable
    ) {
        (self.allowed, self.window, self.router, self.keys) = (allowed, window, router, keys)
        controls = Controls(input: allowed, keys: keys)
    }

    func begin() { if allowed == .none { window.setPointer(.hidden) } }

    /// Follows a layout that allows other input.
    mutating func allow(_ input: WindowInput) {
        guard input != allowed else { return }
        allowed = input
        controls = Controls(input: input, keys: keys)
        window.setPointer(input == .all ? .shown : .hidden)
    }

    // MARK: the pointer

    /// Time at which the pointer is hidden; nil if it is hidden or has not been seen.
    var pointerHidesAt: Time? { pointer.hidesAt }

    mutating func hideRestingPointer() { if pointer.isToHide(at: Time.now) { window.setPointer(.hidden) } }

    /// Shows a pointer that was hidden. Returns true if the pointer has moved and the layout allows it.
    mutating func pointerIs(at point: Point) -> Bool {
        let stir = pointer.pointer(at: point, Time.now)
        if stir == .cameBack, allowed == .all { window.setPointer(.shown) }
        return stir != .none && allowed == .all
    }

    // MARK: keys

    /// Bindings that keys may use. Those of the wall also work where the layout locks every other key.
    private var sources: CommandRouter.KeySources { allowed == .all ? .all : .ofWall }

    /// Runs the binding of a pressed key, or returns the changes of the event. The router runs the bindings of clients, of
    /// the layout and of the user; the changes of all other keys are in the table of keys.
    mutating func handle(_ event: InputEvent) -> [Change] {
        ranBinding = false
        switch event {
        case .keyDown(let key, let modifiers, let press):
            let pressed = KeyPress(key, modifiers)
            isKeyBound = router.isBound(pressed, from: sources)
            ranBinding = router.runBinding(of: pressed, from: sources, isRepeated: press == .repeated)
            if ranBinding { return [] }
        case .typed(let key, let by, let press):
            if isKeyBound, by != nil { return [] }
            ranBinding = router.runBinding(of: KeyPress(key, []), from: sources, isRepeated: press == .repeated)
            if ranBinding { return [] }
        case .dropped(let sources, let point, let modifiers):
            if allowed == .all, keys().allowsDrops {
                router.drop(sources, at: point, appending: modifiers.contains(.shift))
            }
            return []
        default: break
        }
        return controls.changes(for: event)
    }

    /// Runs the binding of a key press that was sent over the control socket, or returns its change. nil if the key has
    /// none.
    func handle(_ press: KeyPress, within chain: KeyChain) -> Change? {
        if router.runBinding(of: press, within: chain) { return nil }
        return keys().change(for: press.key, press.modifiers, isRepeated: false)
    }
}

/// Hides the pointer when it has not moved for two seconds. Only a move counts: a window that opens under the pointer
/// also receives its place.
struct PointerRest {
    private(set) var hidesAt: Time?
    private var place: Point?
    private var isHidden = false
    private static let rest = Time.seconds(2)

    enum Stir { case none, moved, cameBack }

    mutating func pointer(at point: Point, _ now: Time) -> Stir {
        defer { place = point }
        if place == nil { hidesAt = now + Self.rest }
        guard let place, place != point else { return .none }
        hidesAt = now + Self.rest
        defer { isHidden = false }
        return isHidden ? .cameBack : .moved
    }

    /// True once, when the pointer is to be hidden.
    mutating func isToHide(at now: Time) -> Bool {
        guard let hidesAt, now >= hidesAt else { return false }
        (self.hidesAt, isHidden) = (nil, true)
        return true
    }
}

/// The user's own keys, for all walls: $XDG_CONFIG_HOME/quadrille/keys.conf.
enum UserKeys {
    /// nil if the user has no folder for settings.
    private static var path: String? {
        let folder = environment("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (folder ?? environment("HOME").map { $0 + "/.config" }).map { $0 + "/quadrille/keys.conf" }
    }

    /// Reads the file; empty if there is none. Mistakes go to `report`, line by line.
    static func read(_ report: (String) -> Void) -> [KeyPress: KeyCommand] {
        guard let path else { return [:] }
        switch bytes(of: path, atMost: 64 << 10) {
        case .success((let bytes, _)):
            let file = KeyFile(bytes)
            file.mistakes?.lines(path: path).forEach(report)
            return file.keys
        case .failure(let trouble):
            let isAbsent = access(path, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno)
            if !isAbsent { report("quadrille: \(path): \(trouble)") }
            return [:]
        }
    }
}
