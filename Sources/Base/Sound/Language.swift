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
