import Base
import Expectations
import Testing

@testable import Socket

@Suite struct JSONTests {
    private func parse(_ text: String) -> PropertyValue? { try? JSONParser.parse(leniently: Array(text.utf8) + [0]) }

    @Test func whatMpvReads() {
        let cases: [(String, PropertyValue)] = [
            ("null", .null), (" true", .flag(true)), ("\t\r\nfalse", .flag(false)), ("0", .integer(0)),
            ("-0", .integer(0)), ("017", .integer(15)), ("0x10", .integer(16)), ("08", .number(8)), ("1.", .number(1)),
            ("1e3", .number(1000)), ("0x1p4", .number(16)), ("-1.5", .number(-1.5)),
            ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            ("-9223372036854775808", .integer(.min)),
            ("\"\"", .text("")), ("\"a\tb\"", .text("a\tb")),
            (#""\"\\\/\'\b\f\n\r\t\e""#, .text("\"\\/'\u{8}\u{C}\n\r\t\u{1B}")),
            (#""\x41\u00e9\ud83d\ude00""#, .text("Aé😀")), (#""\udc00""#, .text("\u{FFFD}")),
            (#""\xff\xc3\xa9""#, .text("\u{FFFD}é")),
            ("[]", .list([])), ("[1,]", .list([.integer(1)])), ("[ 1 , [ ] ]", .list([.integer(1), .list([])])),
            ("{}", .object([])), ("{a:1}", .object([PropertyField("a", .integer(1))])),
            (
                "{_a1 = null , \"b\"=2,}",
                .object([PropertyField("_a1", .null), PropertyField("b", .integer(2))])
            ),
            ("1 rest", .integer(1)), ("{}{", .object([])),
        ]
        for (text, value) in cases { expect(parse(text), equals: value, "\(text)") }
    }

    @Test func whatMpvRefuses() {
        let cases = [
            "", " ", "nul", "-", "-inf", "nan", "[1e999]", "[1e-320]", "[", "[1", "[1 2]", "[,1]", "[1,,2]", "{", "{a}",
            "{a 1}", "{a:}", "{1:2}", "{a-b:1}", "\"", "\"\\", "\"\\q\"", "\"\\x4\"", "\"\\u12\"", "\"\\ud83d\"",
            "\"\\ud83d\\u0041\"",
            "'a'", "[truex]", "}",
            // mpv ends the text at the zero; a name cut short would be another name.
            "\"a\\u0000b\"", "\"a\\x00b\"",
        ]
        for text in cases { expect(parse(text), equals: nil, "\(text)") }
    }

    @Test func bytesThatAreNoUTF8AreReplaced() throws {
        let value = try JSONParser.parse(leniently: Array("[\"".utf8) + [0xFF, 0xC3] + Array("\"]".utf8) + [0])
        expect(value, equals: .list([.text("\u{FFFD}\u{FFFD}")]))
    }

    @Test func fiftyLevelsAreRead() {
        expect(parse(String(repeating: "[", count: 50) + String(repeating: "]", count: 50)) != nil)
        expect(parse(String(repeating: "[", count: 51) + String(repeating: "]", count: 51)), equals: nil)
        expect(parse(String(repeating: "[", count: 1_000_000)), equals: nil)
    }

    @Test func theFirstOfEqualKeysCounts() {
        expect(parse("{a:1,a:2}")?["a"], equals: .integer(1))
        expect(parse("[1]")?["a"], equals: nil)
    }

    @Test func valuesAreWrittenAsMpvWritesThem() {
        let cases: [(PropertyValue, String)] = [
            (.null, "null"), (.flag(true), "true"), (.integer(-5), "-5"), (.integer(.min), "-9223372036854775808"),
            (.number(100), "100.000000"), (.number(-0.0000004), "-0.000000"),
            (.number(1e15), "1000000000000000.000000"),
            (.number(.infinity), "\"inf\""), (.number(-.infinity), "\"-inf\""), (.number(-.nan), "\"nan\""),
            (.text("a\"\\/\u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F}é"), #""a\"\\/\b\f\n\r\t\u0001\u001f"# + "\u{7F}é\""),
            (.list([]), "[]"), (.list([.null, .list([])]), "[null,[]]"), (.object([]), "{}"),
            (.object([PropertyField("b\"", .integer(1)), PropertyField("a", .flag(false))]), #"{"b\"":1,"a":false}"#),
        ]
        for (value, text) in cases { expect(JSONWriter.text(value), equals: text) }
        expect(
            JSONWriter.text(.text("é\u{202E}\u{7F}\u{E0001}"), escaping: .unprintable),
            equals: #""é\u202e\u007f\udb40\udc01""#)
        expect(JSONWriter.text(.number(.greatestFiniteMagnitude)).count, equals: 316)
        expect(JSONWriter.line([PropertyField("a", .null)]), equals: Array("{\"a\":null}\n".utf8))
    }

    @Test func valuesAsText() {
        let cases: [(PropertyValue, String)] = [
            (.flag(true), "yes"), (.flag(false), "no"), (.integer(3), "3"), (.number(0.5), "0.500000"),
            (.text("x"), "x"),
            (.null, "null"), (.list([.text("x")]), "[\"x\"]"), (.number(.infinity), "inf"),
        ]
        for (value, text) in cases { expect(value.asPropertyText, equals: text) }
    }
}
