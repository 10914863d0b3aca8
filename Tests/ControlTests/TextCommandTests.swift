import Base
import Commands
import Expectations
import Testing

@testable import Socket

@Suite struct TextCommandTests {
    /// The words of each command; nil if nothing is run.
    private func words(_ line: String) -> [[String]]? {
        (try? ControlRequest.commands(inText: Array(line.utf8)))?.map { request in
            request.named == nil && !request.mayBeVerb
                ? [request.name] + request.arguments.map(\.asPropertyText) : []
        }
    }

    @Test func linesAsInInputConf() {
        let cases: [(String, [[String]]?)] = [
            ("a", [["a"]]), ("  a \t b\u{B}c ", [["a", "b", "c"]]),
            ("a \"b c\" 'd e' `!f g!`", [["a", "b c", "d e", "f g"]]), ("a \"\" ''", [["a", "", ""]]),
            (#"a "\"\\\n\x41\u00e9""#, [["a", "\"\\\nAé"]]), (#"a 'b\n' c\n"#, [["a", "b\\n", "c\\n"]]),
            ("a b\"c\" d'e'", [["a", "b\"c\"", "d'e'"]]), ("a \"b\"c", [["a", "b", "c"]]),
            ("a;b", [["a"], ["b"]]), ("a b ; c d;", [["a", "b"], ["c", "d"]]), ("a;;b", [["a"]]), ("a ; # c", [["a"]]),
            ("a b#c", [["a", "b"]]), ("a # b ; c", [["a"]]), ("a \"#;\"", [["a", "#;"]]),
            ("no-osd raw a async", [["a", "async"]]), ("osd-msg-bar repeatable nonscalable a", [["a"]]),
            (";a", nil), ("no-osd", nil), ("a \"b", nil), ("a 'b", nil), ("a `!b!", nil), ("a \"\\q\"", nil),
            ("\"\" a", nil), ("a \"\\x00\"", nil), ("a; b \"", nil), ("a `", [["a", "`"]]), ("a \"\\", nil),
        ]
        for (line, expected) in cases { expect(words(line), equals: expected, "\(line)") }
    }

    private func command(_ line: String) -> ControlRequest? {
        (try? ControlRequest.commands(inText: Array(line.utf8)))?.first
    }

    @Test func prefixesSayWhetherTheNextCommandWaits() {
        expect(command("async a")?.wait, equals: .notEvenReply)
        expect(command("async sync a")?.wait, equals: .untilAnswered)
        expect(command("raw a")?.expandsProperties, equals: false)
        expect(command("raw expand-properties a")?.expandsProperties, equals: true)
    }

    private func expand(
        _ text: String, _ property: (String) -> Result<PropertyValue, ControlError>
    ) -> String {
        withoutActuallyEscaping(property) { property in
            var expansion = PropertyExpansion(mostLookups: 1000, property)
            return expansion.expanded(text)
        }
    }

    @Test func aTextNamesOnlySoManyProperties() {
        let wall = FakeWall()
        var expansion = PropertyExpansion(mostLookups: 2) { wall.property($0) }
        expect(expansion.expanded("${pid}${?pid:a}${pid}"), equals: "4711a${pid}")
        expect(expansion.expanded("${pid}"), equals: "${pid}")
    }

    @Test func aTextHoldsOnlySoMuchOfTheirValues() {
        let wall = FakeWall()
        wall["text"] = .text(String(repeating: "x", count: 600))
        for (text, shown) in [("${text}", 1200), ("${?text==y:a}", 0)] {
            var expansion = PropertyExpansion(mostBytes: 1000) { wall.property($0) }
            let result = expansion.expanded(String(repeating: text, count: 5))
            let left = String(repeating: text, count: 3)
            expect(result, equals: String(repeating: "x", count: shown) + left)
        }
    }

    /// Each is read once for a command, and parts of a value with it.
    @Test func propertiesAreReadOnce() {
        let wall = FakeWall()
        var expansion = PropertyExpansion { wall.property($0) }
        expect(expansion.expanded("${pid}${pid}${metadata/b}${metadata/c}"), equals: "471147111(error)")
        expect(expansion.expanded("${metadata/b}${?metadata/a:yes}${tiles/0}"), equals: "1yes(error)")
        expect(wall.reads, equals: 3)
    }

    @Test func propertiesAreExpanded() {
        let wall = FakeWall()
        wall["volume"] = .number(20.5)
        let cases = [
            ("plain }", "plain }"), ("${pid}", "4711"), ("a${pid}b${pause}", "a4711bno"), ("${volume}", "20.5"),
            ("${=volume}", "20.500000"), ("${nope}", "(error)"), ("${time-pos}", "(unavailable)"), ("${=nope}", ""),
            ("${nope:or}", "or"), ("${pid:or}", "4711"), ("${nope:a ${pid} b}", "a 4711 b"),
            ("${pid:a ${pid} b}x", "4711x"),
            ("${?pid:yes}${!pid:no}", "yes"), ("${?nope:yes}${!nope:no}", "no"), ("${?nope:${pid}}!", "!"),
            ("${?pause==no:runs}${?pause==yes:stands}", "runs"), ("${!pause==yes:runs}", "runs"),
            ("$$$}$x$", "$}$x$"), ("${pid", "${pid"), ("a$>${pid}", "a${pid}"),
            ("${nope:$>}", "$>"), ("${}", "(error)"),
            ("${nope:a", "${nope:a"), ("${nope:a${pid}", "a4711"),
        ]
        for (text, expected) in cases {
            expect(expand(text) { wall.property($0) }, equals: expected, "\(text)")
        }
    }

    @Test func hostileTextsAreExpandedAtOnce() {
        let deep = String(repeating: "${nope:", count: 20_000) + "}"
        let result = expand(deep) { _ in .failure(.propertyNotFound) }
        expect(result.hasPrefix("${nope:"))
        let open = String(repeating: "${", count: 50_000)
        expect(expand(open) { _ in .failure(.propertyNotFound) }, equals: open)
    }
}
