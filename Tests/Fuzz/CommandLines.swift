import TestKit

/// Command lines for the built program, made of known options, of values at their limits and of random bytes.
struct CommandLines {
    /// Option names by subcommand.
    private let options: [(subcommand: String, names: [String])]

    private static let values = [
        "", "0", "1", "-1", "64", "65", "1e308", "nan", "inf", "9223372036854775808", "1:23.5", "1:99", "0,0",
        "-65537,1",
        "16x16", "16384x16384", "x", "99999999999999999999x1", "0.25", "4", "30000/1001", "1/0", "auto", "none", "all",
        "é",
        "\u{202E}", "\u{1B}[31m", "=", "--", "-",
    ]

    /// Reads the options from the program's own help.
    init() throws {
        options = try ["play", "compare", "check", "render", "snapshot", "align", "blind"].map { subcommand in
            let help = try Program.run([subcommand, "--help"]).output
            let words = help.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init)
            return (subcommand, Set(words.filter { $0.hasPrefix("--") && $0.count > 3 }).sorted())
        }
        guard options.allSatisfy({ $0.names.count > 1 }) else { throw Fuzz.Failure(what: "the help names no options") }
    }

    /// The next command line. Its paths stay in the folder where it runs, and it plays nothing.
    func next(_ numbers: inout SeededNumbers) -> [String] {
        let (subcommand, names) = options.randomElement(using: &numbers)!
        var line = Bool.random(using: &numbers) ? [subcommand] : []
        for _ in 0..<Int.random(in: 0...6, using: &numbers) {
            let name = names.randomElement(using: &numbers)!
            switch Int.random(in: 0..<5, using: &numbers) {
            case 0: line.append(name)
            case 1: line.append(name + "=" + value(&numbers))
            case 2: line.append(value(&numbers))
            default: line += [name, value(&numbers)]
            }
        }
        return line + (Bool.random(using: &numbers) ? ["--help"] : ["none.mp4", "both.json"])
    }

    private func value(_ numbers: inout SeededNumbers) -> String {
        if Bool.random(using: &numbers) { return CommandLines.values.randomElement(using: &numbers)! }
        // A slash could lead elsewhere, and a zero ends an argument.
        let bytes = (0..<Int.random(in: 1...40, using: &numbers)).map { _ in UInt8.random(in: 1...255, using: &numbers)
        }
        return String(decoding: bytes.filter { $0 != 0x2F }, as: UTF8.self)
    }
}
