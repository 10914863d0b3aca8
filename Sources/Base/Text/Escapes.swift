/// Appends the character of an escape and returns the escape's length without its backslash; nil if the escape is
/// unknown. Texts in double quotes have the same escapes in JSON and in text commands.
/// A lone second half of a surrogate pair becomes U+FFFD if `allowsHalves`. A lone first half is an error (nil).
public func appendEscape(_ code: ArraySlice<UInt8>, to text: inout [UInt8], allowsHalves: Bool = true) -> Int? {
    guard let letter = code.first else { return nil }
    let plain: UInt8
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"): plain = letter
    case UInt8(ascii: "b"): plain = 0x08
    case UInt8(ascii: "f"): plain = 0x0C
    case UInt8(ascii: "n"): plain = 0x0A
    case UInt8(ascii: "r"): plain = 0x0D
    case UInt8(ascii: "t"): plain = 0x09
    case UInt8(ascii: "e"): plain = 0x1B
    case UInt8(ascii: "x"):
        guard let byte = hexadecimal(code.dropFirst(), digits: 2) else { return nil }
        text.append(UInt8(byte))
        return 3
    case UInt8(ascii: "u"): return appendUnicodeEscape(code, to: &text, allowsHalves)
    default: return nil
    }
    text.append(plain)
    return 1
}

private func appendUnicodeEscape(_ code: ArraySlice<UInt8>, to text: inout [UInt8], _ allowsHalves: Bool) -> Int? {
    guard let first = hexadecimal(code.dropFirst(), digits: 4) else { return nil }
    guard (0xD800...0xDBFF).contains(first) else {
        guard let scalar = Unicode.Scalar(first) ?? (allowsHalves ? "\u{FFFD}" : nil) else { return nil }
        text.append(contentsOf: String(scalar).utf8)
        return 5
    }
    let rest = code.dropFirst(5)
    guard rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]),
        let second = hexadecimal(rest.dropFirst(2), digits: 4), (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { return nil }
    text.append(contentsOf: String(scalar).utf8)
    return 11
}

private func hexadecimal(_ code: ArraySlice<UInt8>, digits: Int) -> UInt32? {
    let values = code.prefix(digits).compactMap(hexDigit)
    return values.count == digits ? values.reduce(0) { $0 << 4 | UInt32($1) } : nil
}
