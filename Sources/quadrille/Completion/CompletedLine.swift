import Console

/// A command line whose last word is completed. Mistakes in it are skipped.
struct CompletedLine {
    let specs: [OptionSpec]
    /// True if the operands are a command of the control socket, whose words may begin with a dash.
    let takesCommand: Bool
    /// Operands before the word.
    private(set) var operands: [String] = []
    /// Values of options before the word, by the options' names.
    private(set) var values: [String: String] = [:]
    /// The option whose value the word is; nil if it is none.
    private(set) var pending: OptionSpec?
    /// True if a word that begins with a dash is an operand.
    private(set) var optionsEnded = false
    var word: String

    init(_ words: [String], _ specs: [OptionSpec], takesCommand: Bool = false) {
        (self.specs, self.takesCommand, word) = (specs, takesCommand, words.last ?? "")
        for word in words.dropLast() {
            if let option = pending {
                values[option.name] = word
                pending = nil
            } else if optionsEnded || word == "-" || !word.hasPrefix("-") {
                operands.append(word)
                if takesCommand { optionsEnded = true }
            } else if word == "--" {
                optionsEnded = true
            } else if let equals = word.firstIndex(of: "=") {
                values[String(word[..<equals].dropFirst(2))] = String(word[word.index(after: equals)...])
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
