import Console

/// A command line whose last word is completed. Mistakes in it are skipped.
struct CompletedLine {
    let specs: [OptionSpec]
    /// Operands before the word.
    private(set) var operands: [String] = []
    /// The option whose value the word is; nil if it is none.
    private(set) var pending: OptionSpec?
    /// True if a word that begins with a dash is an operand.
    private(set) var optionsEnded = false
    var word: String

    /// `endsOptionsByOperand`: the words after the first operand are operands too.
    init(_ words: [String], _ specs: [OptionSpec], endsOptionsByOperand: Bool) {
        (self.specs, word) = (specs, words.last ?? "")
        for word in words.dropLast() {
            if pending != nil {
                pending = nil
            } else if optionsEnded || word == "-" || !word.hasPrefix("-") {
                operands.append(word)
                if endsOptionsByOperand { optionsEnded = true }
            } else if word == "--" {
                optionsEnded = true
            } else {
                pending = specs.first { spec in
                    spec.value != nil && (word == "--\(spec.name)" || spec.short.map { word == "-\($0)" } ?? false)
                }
            }
        }
    }

    /// The layout's file among the operands; nil if there is none.
    var layout: String? { operands.first { $0.hasSuffix(".json") } }
}
