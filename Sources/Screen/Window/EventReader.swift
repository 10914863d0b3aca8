import Base
import CSDL2
import Commands

/// Translates SDL's events into `InputEvent`s. Remembers only the last key and the sources of a drop.
struct EventReader {
    /// SDL's number of the window. Events of other windows are dropped.
    var window: UInt32
    var pixelSize: Size
    /// Pixels per unit of SDL's pointer coordinates.
    var pixelsPerUnit = (x: 1.0, y: 1.0)
    var wakeType: UInt32
    private var press = InputEvent.Press.first
    /// The last key. Its text event may repeat it.
    private var key: Key?
    /// Modifiers of the last key.
    private var held: Modifiers = []
    /// True if the left Alt was held with it. The right one is AltGr on many keyboards, which types other signs.
    private var isWithAlt = false
    /// Sources of a drop that is not complete yet.
    private var dropped: [String] = []

    private static let buttons: [UInt8: InputEvent.Button] = [1: .left, 2: .middle, 3: .right]

    init(window: UInt32, pixelSize: Size, wakeType: UInt32) {
        (self.window, self.pixelSize, self.wakeType) = (window, pixelSize, wakeType)
    }

    /// nil if the event means nothing here.
    mutating func read(_ event: SDL_Event) -> InputEvent? {
        if event.type == wakeType { return .wake }
        switch SDL_EventType(event.type) {
        // Only SDL's Wayland driver sends SDL_QUIT, when the compositor is gone. `NativeWindow` turns off all other
        // causes.
        case SDL_QUIT: return .displayIsGone
        case SDL_KEYDOWN:
            guard event.key.windowID == window else { return nil }
            press = event.key.repeat == 0 ? .first : .repeated
            let modifiers = Modifiers(event.key.keysym.mod)
            key = Key(event.key.keysym, modifiers)
            held = modifiers.subtracting(Modifiers(of: event.key.keysym.scancode))
            let alts = UInt32(event.key.keysym.mod) & (KMOD_ALT.rawValue | KMOD_MODE.rawValue)
            isWithAlt = alts == KMOD_LALT.rawValue
            return key.map { .keyDown($0, held, press) }
        case SDL_TEXTINPUT:
            guard event.text.windowID == window else { return nil }
            let text = withUnsafeBytes(of: event.text.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            guard text.count == 1, let typed = Key(typed: text.first!), key?.readings.contains(typed) != true else {
                return nil
            }
            // With Alt the sign is a key like any other: "Alt+>" is what Alt, Shift and the key of the period give.
            return isWithAlt ? .keyDown(typed, held, press) : .typed(typed, by: key, press)
        case SDL_MOUSEMOTION:
            return event.motion.windowID == window ? .pointerMoved(point(event.motion.x, event.motion.y)) : nil
        case SDL_MOUSEBUTTONDOWN, SDL_MOUSEBUTTONUP:
            guard event.button.windowID == window, let button = Self.buttons[event.button.button] else { return nil }
            let place = point(event.button.x, event.button.y), clicks = Int(event.button.clicks)
            return event.type == SDL_MOUSEBUTTONDOWN.rawValue
                ? .pointerDown(place, button, clicks: clicks) : .pointerUp(place, button, clicks: clicks)
        case SDL_MOUSEWHEEL:
            guard event.wheel.windowID == window else { return nil }
            let sign = event.wheel.direction == SDL_MOUSEWHEEL_FLIPPED.rawValue ? -1.0 : 1.0
            return .wheel(sign * Double(event.wheel.preciseX), sign * Double(event.wheel.preciseY))
        case SDL_FINGERDOWN, SDL_FINGERMOTION, SDL_FINGERUP:
            guard event.tfinger.windowID == window || event.tfinger.windowID == 0 else { return nil }
            return finger(event)
        case SDL_DROPBEGIN, SDL_DROPFILE, SDL_DROPTEXT, SDL_DROPCOMPLETE:
            return drop(event.drop)
        case SDL_WINDOWEVENT:
            return event.window.windowID == window ? windowEvent(event.window).map { .window($0) } : nil
        case SDL_RENDER_TARGETS_RESET, SDL_RENDER_DEVICE_RESET:
            return .window(.exposed)
        default:
            return nil
        }
    }

    /// A drop of several files is one event. SDL does not report where it happened: the window adds that.
    private mutating func drop(_ event: SDL_DropEvent) -> InputEvent? {
        // SDL leaves the text to its receiver.
        let text = event.file.map { String(cString: $0) }
        SDL_free(event.file)
        guard event.windowID == window else { return nil }
        switch SDL_EventType(event.type) {
        case SDL_DROPBEGIN: dropped = []
        case SDL_DROPFILE: dropped += text.map { [$0] } ?? []
        case SDL_DROPTEXT:
            // A browser drops the address of a link as a text.
            if let text, SourceName.isURL(text) { dropped.append(text) }
        default:
            defer { dropped = [] }
            return dropped.isEmpty ? nil : .dropped(dropped, at: nil, [])
        }
        return nil
    }

    private func windowEvent(_ event: SDL_WindowEvent) -> WindowEvent? {
        switch SDL_WindowEventID(UInt32(event.event)) {
        case SDL_WINDOWEVENT_SIZE_CHANGED: .resized(pixelSize)
        case SDL_WINDOWEVENT_EXPOSED: .exposed
        case SDL_WINDOWEVENT_MINIMIZED: .minimised
        case SDL_WINDOWEVENT_RESTORED, SDL_WINDOWEVENT_MAXIMIZED: .restored
        case SDL_WINDOWEVENT_HIDDEN: .hidden
        case SDL_WINDOWEVENT_SHOWN: .shown
        case SDL_WINDOWEVENT_FOCUS_GAINED: .focusGained
        case SDL_WINDOWEVENT_FOCUS_LOST: .focusLost
        case SDL_WINDOWEVENT_LEAVE: .pointerLeft
        case SDL_WINDOWEVENT_CLOSE: .closeRequested
        default: nil
        }
    }

    func point(_ x: Int32, _ y: Int32) -> Point {
        Point(Int(Double(x) * pixelsPerUnit.x), Int(Double(y) * pixelsPerUnit.y))
    }

    private func finger(_ event: SDL_Event) -> InputEvent {
        let finger = event.tfinger.fingerId, time = Int64(event.tfinger.timestamp)
        let place = Point(
            Int(Double(event.tfinger.x) * Double(pixelSize.width)),
            Int(Double(event.tfinger.y) * Double(pixelSize.height)))
        return switch SDL_EventType(event.type) {
        case SDL_FINGERDOWN: .touchDown(finger: finger, place, milliseconds: time)
        case SDL_FINGERUP: .touchUp(finger: finger, place, milliseconds: time)
        default: .touchMoved(finger: finger, place)
        }
    }
}

extension Key {
    /// nil for a sign whose key depends on the keyboard's layout. SDL sends such a sign as text, except while Ctrl or
    /// Alt is held.
    fileprivate init?(_ symbol: SDL_Keysym, _ modifiers: Modifiers) {
        let place = Int(symbol.scancode.rawValue), sign = Int(symbol.sym)
        if UInt32(symbol.mod) & KMOD_NUM.rawValue == 0, let key = KeyNames.key(scancodeWithoutNumLock: place) {
            self = key
        } else if let digit = Key.digit(symbol.scancode) {
            self = .digit(digit)
        } else if let key = Key.named(sign, place) {
            self = key
        } else if (97...122).contains(sign) {
            self = .letter(Character(UnicodeScalar(UInt8(sign))))
        } else if modifiers.isDisjoint(with: [.control, .alt, .other]), sign < 128 {
            return nil
        } else if sign == 0x3D, !modifiers.isDisjoint(with: [.control, .alt]) {
            // The = key has plus on its Shift level, so Ctrl or Alt with this key is plus.
            self = .plus
        } else if let scalar = UnicodeScalar(UInt32(truncatingIfNeeded: sign)) {
            self.init(typed: Character(scalar))
        } else {
            return nil
        }
    }

    /// A key that types no sign: its meaning in the keyboard's layout, or its place if the layout gives none.
    private static func named(_ sign: Int, _ place: Int) -> Key? {
        switch sign {
        case 0: return KeyNames.key(scancode: place)
        case Int(SDLK_RETURN.rawValue): return .enter
        case Int(SDLK_ESCAPE.rawValue): return .escape
        case Int(SDLK_BACKSPACE.rawValue): return .backspace
        case Int(SDLK_TAB.rawValue): return .tab
        case Int(SDLK_SPACE.rawValue): return .space
        case Int(SDLK_DELETE.rawValue): return KeyNames.key(scancode: Int(SDL_SCANCODE_DELETE.rawValue))
        case _ where sign & Int(SDLK_SCANCODE_MASK) != 0:
            return KeyNames.key(scancode: sign & ~Int(SDLK_SCANCODE_MASK))
        default: return nil
        }
    }

    /// Digit by the key's place, since on some keyboards the top row's digits need Shift.
    private static func digit(_ code: SDL_Scancode) -> Int? {
        let first = SDL_SCANCODE_1.rawValue, last = SDL_SCANCODE_9.rawValue
        if (first...last).contains(code.rawValue) { return Int(code.rawValue - first) + 1 }
        return code == SDL_SCANCODE_0 ? 0 : nil
    }
}

extension Modifiers {
    private static let kinds: [(Modifiers, SDL_Keymod, keys: [SDL_Scancode])] = [
        (.shift, KMOD_SHIFT, [SDL_SCANCODE_LSHIFT, SDL_SCANCODE_RSHIFT]),
        (.control, KMOD_CTRL, [SDL_SCANCODE_LCTRL, SDL_SCANCODE_RCTRL]),
        (.alt, KMOD_ALT, [SDL_SCANCODE_LALT, SDL_SCANCODE_RALT]),
        (.other, KMOD_GUI, [SDL_SCANCODE_LGUI, SDL_SCANCODE_RGUI]),
    ]

    fileprivate init(_ state: UInt16) {
        self = Modifiers(Self.kinds.filter { UInt32(state) & $0.1.rawValue != 0 }.map(\.0))
    }

    /// The modifier that the key itself is; empty for other keys.
    fileprivate init(of code: SDL_Scancode) {
        self = Modifiers(Self.kinds.filter { $0.keys.contains(code) }.map(\.0))
    }
}
