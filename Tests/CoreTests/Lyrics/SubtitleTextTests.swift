import Expectations
import Testing

@testable import Lyrics

@Suite struct SubtitleTextTests {
    private func plain(_ text: String, _ format: SubtitleText.Format) -> String {
        String(decoding: SubtitleText.plain(Array(text.utf8), format), as: UTF8.self)
    }

    @Test func blocksThatSayHowCuesLookAreLeftOut() {
        let cue = "00:00.000 --> 00:02.000\nhi\n"
        expect(
            plain("WEBVTT\n\nSTYLE\n::cue{color:red}\n\nREGION\r\nid:a\r\n\r\nSTYLES\n\n" + cue, .webvtt),
            equals: "WEBVTT\n\n\n\nSTYLES\n\n" + cue)
        // The text of a cue may be "STYLE".
        expect(plain("WEBVTT\n\n00:00.000 --> 00:02.000\nSTYLE\n", .webvtt).hasSuffix("\nSTYLE\n"))
        expect(plain("STYLE\n" + cue, .srt), equals: "STYLE\n" + cue)
    }

    @Test func whatStandsInItCountsAndNotItsName() {
        func format(_ text: String, _ named: SubtitleText.Format) -> SubtitleText.Format? {
            SubtitleText.format(of: Array(text.utf8), named: named)
        }
        let cue = "00:00:00,000 --> 00:00:02,000\nWEBVTT\n"
        expect(format("1\n" + cue, .srt) == .srt && format(cue, .webvtt) == .webvtt)
        expect(format("\u{FEFF}\n\nWEBVTT - x\n\n" + cue, .srt), equals: .webvtt)
        expect(format("[Script Info]\nTitle: a\n", .srt) == nil && format("{0}{50}hi\n", .srt) == nil)
        expect(format("", .srt), equals: nil)
    }

    @Test func anyEncodingBecomesUTF8() {
        let text = "1\n00:00:00,000 --> 00:00:02,000\nGrüße\n"
        let wide: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let old = text.unicodeScalars.map { UInt8($0.value) }
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
        for bytes: [UInt8] in [Array(text.utf8), wide, old, marked] {
            expect(String(decoding: SubtitleText.plain(bytes, .srt), as: UTF8.self), equals: text)
        }
    }
}
