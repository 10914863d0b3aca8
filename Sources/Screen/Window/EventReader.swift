import CSDL2
import WallCore

/// SDL's events ─▶ ours. Pure, but for what it remembers of the key before.
struct EventReader {
    /// SDL's number for the window; events of others are not ours.
    var window: UInt32
    var pixelSize: Size
    /// Pixels for each of the units in which SDL counts the pointer's way.
    var pixelsPerUnit = (x: 1.0, y: 1.0)
    var wakeType: UInt32
    private var press = InputEvent.Press.first
    /// What the key before meant by itself; its text says the same again.
    private var key: Key?

    init(window: UInt32, pixelSize: Size, wakeType: UInt32) {
        (self.window, self.pixelSize, self.wakeType) = (window, pixelSize, wakeType)
    }

    /// nil: means nothing to us.
    mutating func read(_ event: SDL_Event) -> InputEvent? {
        if event.type == wakeType { return .wake }
        switch SDL_EventType(event.type) {
        // Its only sender left is SDL's Wayland driver, when it has lost its compositor.
        case SDL_QUIT: return .displayIsGone
        case SDL_KEYDOWN:
            guard event.key.windowID == window else { return nil }
            press = event.key.repeat == 0 ? .first : .repeated
            let modifiers = Modifiers(event.key.keysym.mod)
            key = Key(event.key.keysym, modifiers)
            return key.map { .keyDown($0, modifiers, press) }
        case SDL_TEXTINPUT:
            guard event.text.windowID == window else { return nil }
            let first = withUnsafeBytes(of: event.text.text) { $0[0] }
            return Key(sign: first).flatMap { $0 == key ? nil : .keyDown($0, [], press) }
        case SDL_MOUSEMOTION:
            return event.motion.windowID == window ? .pointerMoved(point(event.motion.x, event.motion.y)) : nil
        case SDL_MOUSEBUTTONDOWN, SDL_MOUSEBUTTONUP:
            guard event.button.windowID == window, let button = InputEvent.Button(event.button.button)
            else { return nil }
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
        case SDL_WINDOWEVENT:
            return event.window.windowID == window ? windowEvent(event.window).map { .window($0) } : nil
        case SDL_RENDER_TARGETS_RESET, SDL_RENDER_DEVICE_RESET:
            return .window(.exposed)
        default:
            return nil
        }
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

    private func point(_ x: Int32, _ y: Int32) -> Point {
        Point(Int(Double(x) * pixelsPerUnit.x), Int(Double(y) * pixelsPerUnit.y))
    }

    private func finger(_ event: SDL_Event) -> InputEvent {
        let finger = event.tfinger.fingerId, place = touch(event), time = Int64(event.tfinger.timestamp)
        return switch SDL_EventType(event.type) {
        case SDL_FINGERDOWN: .touchDown(finger: finger, place, milliseconds: time)
        case SDL_FINGERUP: .touchUp(finger: finger, place, milliseconds: time)
        default: .touchMoved(finger: finger, place)
        }
    }

    private func touch(_ event: SDL_Event) -> Point {
        Point(
            Int(Double(event.tfinger.x) * Double(pixelSize.width)),
            Int(Double(event.tfinger.y) * Double(pixelSize.height)))
    }
}

extension Key {
    /// Signs that lie elsewhere on other keyboards come as text, but not while Ctrl or Alt is held.
    fileprivate init?(_ symbol: SDL_Keysym, _ modifiers: Modifiers) {
        if let digit = Key.digit(symbol.scancode) {
            self = .digit(digit)
            return
        }
        switch Int(symbol.sym) {
        case Int(SDLK_SPACE.rawValue): self = .space
        case Int(SDLK_LEFT.rawValue): self = .left
        case Int(SDLK_RIGHT.rawValue): self = .right
        case Int(SDLK_UP.rawValue): self = .up
        case Int(SDLK_DOWN.rawValue): self = .down
        case Int(SDLK_HOME.rawValue): self = .home
        case Int(SDLK_END.rawValue): self = .end
        case Int(SDLK_KP_PLUS.rawValue): self = .plus
        case Int(SDLK_KP_MINUS.rawValue): self = .minus
        // Where the plus is on that key, with Shift.
        case Int(SDLK_EQUALS.rawValue) where modifiers.contains(.control): self = .plus
        case Int(SDLK_BACKSPACE.rawValue): self = .backspace
        case Int(SDLK_TAB.rawValue): self = .tab
        case Int(SDLK_RETURN.rawValue), Int(SDLK_KP_ENTER.rawValue): self = .enter
        case Int(SDLK_ESCAPE.rawValue): self = .escape
        case Int(SDLK_F11.rawValue): self = .f11
        case 97...122: self = .letter(Character(UnicodeScalar(UInt8(symbol.sym))))
        case 0..<128 where !modifiers.isDisjoint(with: [.control, .alt, .other]):
            self.init(sign: UInt8(symbol.sym))
        default: return nil
        }
    }

    fileprivate init?(sign: UInt8) {
        switch sign {
        case UInt8(ascii: "."): self = .period
        case UInt8(ascii: ","): self = .comma
        case UInt8(ascii: "["): self = .leftBracket
        case UInt8(ascii: "]"): self = .rightBracket
        case UInt8(ascii: "{"): self = .leftBrace
        case UInt8(ascii: "}"): self = .rightBrace
        case UInt8(ascii: "+"): self = .plus
        case UInt8(ascii: "-"): self = .minus
        case UInt8(ascii: "?"): self = .questionMark
        default: return nil
        }
    }

    /// By the key's place: on some keyboards the top row's digits need Shift.
    private static func digit(_ code: SDL_Scancode) -> Int? {
        let first = SDL_SCANCODE_1.rawValue, last = SDL_SCANCODE_9.rawValue
        let pad = SDL_SCANCODE_KP_1.rawValue, padEnd = SDL_SCANCODE_KP_9.rawValue
        if (first...last).contains(code.rawValue) { return Int(code.rawValue - first) + 1 }
        if (pad...padEnd).contains(code.rawValue) { return Int(code.rawValue - pad) + 1 }
        if code == SDL_SCANCODE_0 || code == SDL_SCANCODE_KP_0 { return 0 }
        return nil
    }
}

extension Modifiers {
    fileprivate init(_ state: UInt16) {
        self = []
        let state = UInt32(state)
        if state & KMOD_SHIFT.rawValue != 0 { insert(.shift) }
        if state & KMOD_CTRL.rawValue != 0 { insert(.control) }
        if state & KMOD_ALT.rawValue != 0 { insert(.alt) }
        if state & KMOD_GUI.rawValue != 0 { insert(.other) }
    }
}

extension InputEvent.Button {
    fileprivate init?(_ number: UInt8) {
        switch number {
        case 1: self = .left
        case 2: self = .middle
        case 3: self = .right
        default: return nil
        }
    }
}
