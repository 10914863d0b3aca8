import Expectations
import Testing

@testable import Base

@Test(arguments: [
    ("a b~.mp4", "a b~.mp4"), ("Übung 日本 😀 👩‍🚒 می‌خواهم", "Übung 日本 😀 👩‍🚒 می‌خواهم"),
    ("\u{1B}[2J\u{7}\n\r\t\u{0}", "U+001B[2JU+0007U+000AU+000DU+0009U+0000"),
    ("\u{7F}\u{9B}31m\u{85}", "U+007FU+009B31mU+0085"),
    ("a\u{2028}b\u{2029}", "aU+2028bU+2029"), ("\u{202E}4pm\u{2066}\u{200F}\u{FEFF}", "U+202E4pmU+2066U+200FU+FEFF"),
    ("\u{E0041}\u{E000}", "U+E0041U+E000"), ("\r\n", "U+000DU+000A"),
])
func whatATerminalWouldObeyIsNamed(_ text: String, _ printed: String) {
    expect(text.printable, equals: printed)
    expect(printed.printable, equals: printed)
}
