import Expectations
import Testing

@testable import Lyrics

private let usualHead = """
    [Script Info]
    PlayResX: 1280
    PlayResY: 720
    [V4+ Styles]
    Format: Name, Fontname, Fontsize, ScaleX, ScaleY, Outline, Shadow
    Style: Default,sans-serif,40,100,100,2,1
    """

private func points(_ count: Int) -> String {
    (0..<count).map { "\($0 % 1280) \($0 % 2 * 700)" }.joined(separator: " ")
}

/// Estimates of libass's work for a subtitle, from its text.
@Suite struct SubtitleLoads {
    private func load(_ text: String, head: String? = usualHead) -> SubtitleLoad {
        SubtitleHead(head.map { Array($0.utf8) }).load(of: Array(("0,0,Default,,0,0,0,," + text).utf8))
    }

    @Test(arguments: [
        "A line of a film, as most of them are, in two rows:\\Nand the second one is no longer than the first.",
        "{\\k20}syl{\\kf30}la{\\ko15}bles", "{\\an8\\fs80\\bord4\\shad2\\blur2}A large title",
        "{\\p1}m 0 0 l 1280 0 1280 720 0 720{\\p0}", "{\\clip(0,0,640,360)}half",
        "{\\t(0,500,\\fscx300\\fscy300)}grows",
        "{\\fs+3}a bit larger", "{\\frx30}tilted", "",
        "{\\p1}m 0 0 l " + points(2000) + "{\\p0}",
    ]) func whatScriptsDoIsDrawn(_ text: String) {
        expect(!load(text).isTooMuch, "\(load(text))")
        // Many subtitles at one instant.
        let many = (0..<12).reduce(SubtitleLoad()) { sum, _ in sum + load(text) }
        expect(!many.isTooMuch || text.contains("{\\p1}"), "\(many)")
    }

    @Test(arguments: [
        "{\\clip(m 0 0 l " + points(25_000) + ")}cut", "{\\p1}m 0 0 l " + points(25_000) + "{\\p0}",
        "{\\fs100000}" + String(repeating: "a", count: 200), "{\\fscx100000\\fscy100000}" + "words",
        "{\\bord9000}a few letters", "{\\t(\\fs5000)}a few letters", "{\\fs+5000}a few letters",
    ]) func whatTakesGigabytesIsNot(_ text: String) { expect(load(text).isTooMuch, "\(load(text))") }

    /// Signs consist of many small drawings at one instant. A line with only a fade needs no rotation.
    @Test func drawingsCountByTheirSize() {
        let stroke = load("{\\p1\\pos(300,200)}m 0 0 l 90 0 90 40 0 40{\\p0}")
        expect(!(0..<200).reduce(SubtitleLoad()) { sum, _ in sum + stroke }.isTooMuch, "\(stroke)")
        expect(load("{\\fad(200,200)}a line").area, equals: load("a line").area)
        expect(load("{\\fax0.2}a line").area, above: load("a line").area)
        let large = load("{\\p1\\fscx5000\\fscy5000}m 0 0 l 90 0 90 40 0 40{\\p0}")
        expect(large.area, equals: 4)
    }

    @Test func theHeadCountsAsWellAsTheText() {
        let words = "some words"
        expect(load(words, head: "PlayResY: 1\nStyle: a,b,400").isTooMuch)
        expect(load(words, head: "Style: Default,sans-serif,99999").isTooMuch)
        expect(!load(words, head: nil).isTooMuch)
        for odd in ["", ":", "Style:", "Style: ,,,,,", "PlayResY: -5\nPlayResX: 0", "Format: Fontsize\nStyle: x"] {
            expect(!load(words, head: odd).isTooMuch, "\(odd)")
        }
    }
}
