import Base

/// All keys by their names in mpv and SDL, and by SDL's scancodes.
///
/// Scancodes up to 256 are those of the keyboard page of USB's usage tables. From 257 on they are SDL's own. Names are
/// compared without case, blanks and underscores: "PGUP", "PageUp", "KP_1", "AC Back".
public enum KeyNames {
    struct Row {
        let key: Key
        /// All names of the key. Messages use the first.
        let names: [String]
        var codes: [Int] = []
        var plain: Key?
    }

    /// Returns the key of a name; nil if no key has it. Signs and letters are their own names.
    static func key(_ name: String) -> Key? {
        if name.count == 1, let sign = name.first {
            if sign == " " { return .space }
            if let digit = sign.isASCII ? sign.wholeNumberValue : nil { return .digit(digit) }
            if sign.isASCII, sign.isLetter { return .letter(Character(sign.lowercased())) }
            return Key(typed: sign)
        }
        return byName[plainForm(of: name)]
    }

    /// Returns the key with an SDL scancode.
    public static func key(scancode: Int) -> Key? { byCode[scancode] }

    /// Returns a key of the keypad while NumLock is off, by its scancode.
    public static func key(scancodeWithoutNumLock code: Int) -> Key? { byCodeWithoutNumLock[code] }

    static func nearest(to name: String) -> String? { Base.nearest(to: name, among: names) }

    static let plain: [Key: Key] = rows.reduce(into: [:]) { plain, row in plain[row.key] = row.plain }

    static func name(of key: Key) -> String {
        if let row = rows.first(where: { $0.key == key }) { return row.names[0] }
        return switch key {
        case .digit(let digit): String(digit)
        case .letter(let letter), .sign(let letter): String(letter)
        case .named(let name): name
        }
    }

    private static let names = rows.flatMap(\.names)

    /// Keys whose names have more than one character, with their other names.
    public static let table = rows.map { (name: $0.names[0], others: Array($0.names.dropFirst())) }

    private static let byName: [String: Key] = rows.reduce(into: [:]) { keys, row in
        for name in row.names { keys[plainForm(of: name)] = row.key }
    }

    private static let byCode: [Int: Key] = rows.reduce(into: [:]) { keys, row in
        for code in row.codes { keys[code] = row.key }
    }

    private static let byCodeWithoutNumLock: [Int: Key] = rows.reduce(into: [:]) { keys, row in
        guard let key = row.plain, let other = rows.first(where: { $0.key == key }), row.codes.isEmpty else { return }
        for code in other.codes { keys[code] = row.key }
    }

    private static func plainForm(of name: String) -> String {
        String(name.lowercased().filter { $0 != " " && $0 != "_" })
    }

    // MARK: the table

    static let rows: [Row] = usual + functions + keypad + keypadWithoutNumLock + media + modifiers + others

    /// `others`: further names.
    private static func row(_ name: String, _ others: [String], _ codes: [Int], plain: Key? = nil) -> Row {
        Row(key: .named(name), names: [name] + others, codes: codes, plain: plain)
    }

    private static func row(_ name: String, _ codes: [Int]) -> Row { row(name, [], codes) }

    private static let usual: [Row] = [
        row("SPACE", [44]), row("ENTER", ["Return"], [40, 158]), row("ESC", ["Escape"], [41]),
        row("BS", ["Backspace"], [42]), row("TAB", [43]), row("LEFT", [80]), row("RIGHT", [79]), row("UP", [82]),
        row("DOWN", [81]), row("HOME", [74]), row("END", [77]), Row(key: .sign("#"), names: ["SHARP"]),
        row("PGUP", ["PageUp"], [75]), row("PGDWN", ["PageDown", "PGDN"], [78]), row("INS", ["Insert"], [73]),
        row("DEL", ["Delete"], [76]), row("PRINT", ["PrintScreen"], [70]), row("CapsLock", [57]),
        row("ScrollLock", [71]), row("NumLock", ["NumLockClear"], [83]), row("IDEOGRAPHIC_SPACE", []),
    ]

    private static let functions: [Row] = (1...24).map { row("F\($0)", [$0 <= 12 ? 57 + $0 : 91 + $0]) }

    private static let keypad: [Row] =
        (0...9).map { row("KP\($0)", ["Keypad \($0)"], [$0 == 0 ? 98 : 88 + $0], plain: .digit($0)) } + [
            row("KP_ENTER", ["Keypad Enter"], [88], plain: .enter),
            row("KP_ADD", ["Keypad +", "KP_PLUS"], [87], plain: .sign("+")),
            row("KP_SUBTRACT", ["Keypad -", "KP_MINUS"], [86], plain: .sign("-")),
            row("KP_MULTIPLY", ["Keypad *"], [85]), row("KP_DIVIDE", ["Keypad /"], [84]),
            row("KP_DEC", ["Keypad .", "KP_PERIOD", "KP_DECIMAL"], [99]),
            row("KP_EQUALS", ["Keypad ="], [103]), row("KP_COMMA", ["Keypad ,"], [133]),
        ]

    private static let keypadWithoutNumLock: [Row] = [
        ("KP_INS", "KP0"), ("KP_END", "KP1"), ("KP_DOWN", "KP2"), ("KP_PGDWN", "KP3"), ("KP_LEFT", "KP4"),
        ("KP_BEGIN", "KP5"), ("KP_RIGHT", "KP6"), ("KP_HOME", "KP7"), ("KP_UP", "KP8"), ("KP_PGUP", "KP9"),
        ("KP_DEL", "KP_DEC"),
    ].map { row($0, [], [], plain: .named($1)) }

    /// Neither SDL nor most keyboards distinguish Play from PlayPause.
    private static let media: [Row] = [
        row("PLAY", ["PLAYPAUSE", "AudioPlay", "MediaPlay", "MediaPlayPause"], [261]),
        row("PAUSE", ["MediaPause"], [72]), row("PLAYONLY", []), row("PAUSEONLY", []),
        row("STOP", ["AudioStop", "MediaStop"], [120, 260]),
        row("NEXT", ["AudioNext", "MediaNextTrack"], [258]), row("PREV", ["AudioPrev", "MediaPreviousTrack"], [259]),
        row("FORWARD", ["AudioFastForward", "MediaFastForward"], [286]),
        row("REWIND", ["AudioRewind", "MediaRewind"], [285]), row("RECORD", ["MediaRecord"], []),
        row("MUTE", ["AudioMute"], [127, 262]), row("VOLUME_UP", [128]), row("VOLUME_DOWN", [129]),
        row("CHANNEL_UP", []), row("CHANNEL_DOWN", []), row("EJECT", ["MediaEject"], [281]), row("MediaSelect", [263]),
        row("POWER", [102]), row("SLEEP", [282]), row("MENU", ["Application"], [101, 118]),
        row("HOMEPAGE", ["AC Home"], [269]), row("WWW", [264]), row("MAIL", [265]),
        row("FAVORITES", ["AC Bookmarks"], [274]), row("SEARCH", ["AC Search"], [268]), row("CANCEL", [155]),
        row("GO_BACK", ["AC Back"], [270]), row("GO_FORWARD", ["AC Forward"], [271]), row("AC Stop", [272]),
        row("AC Refresh", [273]), row("TOOLS", []), row("ZOOMIN", []), row("ZOOMOUT", []), row("Calculator", [266]),
        row("Computer", [267]), row("BrightnessDown", [275]), row("BrightnessUp", [276]), row("DisplaySwitch", [277]),
        row("KBDIllumToggle", [278]), row("KBDIllumDown", [279]), row("KBDIllumUp", [280]), row("App1", [283]),
        row("App2", [284]), row("SoftLeft", [287]), row("SoftRight", [288]), row("Call", [289]), row("EndCall", [290]),
    ]

    private static let modifiers: [Row] = [
        row("Left Ctrl", [224]), row("Left Shift", [225]), row("Left Alt", [226]),
        row("Left GUI", ["Left Meta"], [227]),
        row("Right Ctrl", [228]), row("Right Shift", [229]), row("Right Alt", [230]),
        row("Right GUI", ["Right Meta"], [231]), row("ModeSwitch", [257]),
    ]

    private static let others: [Row] =
        (1...9).map { row("International \($0)", [134 + $0]) } + (1...9).map { row("Language \($0)", [143 + $0]) }
        + [
            ("NonUSBackslash", 100), ("Execute", 116), ("Help", 117), ("Select", 119), ("Again", 121), ("Undo", 122),
            ("Cut", 123), ("Copy", 124), ("Paste", 125), ("Find", 126), ("Keypad = (AS400)", 134), ("AltErase", 153),
            ("SysReq", 154), ("Clear", 156), ("Prior", 157), ("Separator", 159), ("Out", 160), ("Oper", 161),
            ("Clear / Again", 162), ("CrSel", 163), ("ExSel", 164), ("Front", 165), ("Keypad 00", 176),
            ("Keypad 000", 177), ("ThousandsSeparator", 178), ("DecimalSeparator", 179), ("CurrencyUnit", 180),
            ("CurrencySubUnit", 181), ("Keypad (", 182), ("Keypad )", 183), ("Keypad {", 184), ("Keypad }", 185),
            ("Keypad Tab", 186), ("Keypad Backspace", 187), ("Keypad A", 188), ("Keypad B", 189), ("Keypad C", 190),
            ("Keypad D", 191), ("Keypad E", 192), ("Keypad F", 193), ("Keypad XOR", 194), ("Keypad ^", 195),
            ("Keypad %", 196), ("Keypad <", 197), ("Keypad >", 198), ("Keypad &", 199), ("Keypad &&", 200),
            ("Keypad |", 201), ("Keypad ||", 202), ("Keypad :", 203), ("Keypad #", 204), ("Keypad Space", 205),
            ("Keypad @", 206), ("Keypad !", 207), ("Keypad MemStore", 208), ("Keypad MemRecall", 209),
            ("Keypad MemClear", 210), ("Keypad MemAdd", 211), ("Keypad MemSubtract", 212), ("Keypad MemMultiply", 213),
            ("Keypad MemDivide", 214), ("Keypad +/-", 215), ("Keypad Clear", 216), ("Keypad ClearEntry", 217),
            ("Keypad Binary", 218), ("Keypad Octal", 219), ("Keypad Decimal", 220), ("Keypad Hexadecimal", 221),
        ].map { (name: String, code: Int) in row(name, [code]) }
}
