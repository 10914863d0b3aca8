public enum ItemAudio: Sendable, Hashable {
    /// Track number from 1.
    case track(Int)
    case language(String)
    case silent
    case other(OtherSound)
    case stems(Stems)

    public struct OtherSound: Sendable, Hashable {
        /// File of the sound; nil means the item's own.
        public var source: String?
        /// nil means the first.
        public var track: SoundChoice.Track?
        public var channel = Channel.both
        public var offset = Time.zero
        public var volume = 100
        public init() {}
    }
    public enum Channel: String, Sendable, Hashable { case both, left, right }
}

/// Track and channel of a file's sound.
public struct SoundChoice: Sendable, Hashable {
    public var track: Track
    public var channel: ItemAudio.Channel

    public enum Track: Sendable, Hashable {
        /// Track from 1. If the file has fewer, its last.
        case number(Int)
        case language(String)

        /// nil for a language.
        public var number: Int? { if case .number(let number) = self { number } else { nil } }
    }

    public init(_ track: Track = .number(1), channel: ItemAudio.Channel = .both) {
        (self.track, self.channel) = (track, channel)
    }
}

/// A language by any of its names: `de`, `ger`, `deu`, `de-AT` and `German` are equal.
public struct Language: Equatable, Sendable {
    let code: String

    public init(_ name: String) {
        let main = name.lowercased().split { $0 == "-" || $0 == "_" }.first.map(String.init) ?? ""
        code = Language.table.first { $0.contains(main) }?.first ?? main
    }

    /// Two letters, three letters (bibliographic and terminological), the English name.
    private static let table = """
        ar ara arabic|bg bul bulgarian|ca cat catalan|cs cze ces czech|da dan danish|de ger deu german|\
        el gre ell greek|en eng english|es spa spanish|et est estonian|eu baq eus basque|fa per fas persian|\
        fi fin finnish|fr fre fra french|ga gle irish|gl glg galician|he heb hebrew|hi hin hindi|hr hrv croatian|\
        hu hun hungarian|id ind indonesian|is ice isl icelandic|it ita italian|ja jpn japanese|ko kor korean|\
        lt lit lithuanian|lv lav latvian|mk mac mkd macedonian|ms may msa malay|nl dut nld dutch|\
        no nor nob norwegian|pl pol polish|pt por portuguese|ro rum ron romanian|ru rus russian|sk slo slk slovak|\
        sl slv slovenian|sq alb sqi albanian|sr srp serbian|sv swe swedish|ta tam tamil|th tha thai|tr tur turkish|\
        uk ukr ukrainian|ur urd urdu|vi vie vietnamese|zh chi zho chinese
        """.split(separator: "|").map { $0.split(separator: " ").map(String.init) }
}
