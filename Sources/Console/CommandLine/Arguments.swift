import Base
import Files

/// Mistake in the command line, and what would be right; or the wish for the help, which ends its reading as well.
public struct UsageMistake: Error {
    public let text: String
    public let isHelp: Bool

    /// `--help` was given.
    static let help = UsageMistake("", isHelp: true)

    public init(_ text: String, isHelp: Bool = false) { (self.text, self.isHelp) = (text, isHelp) }

    /// Throws unless there is one `--offset` for each clip after the reference: which clip a lone one is meant for would
    /// be a guess.
    public static func refuse(offsets: Int, for clips: Int, after reference: String) throws(UsageMistake) {
        guard offsets != clips else { return }
        func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
        let remedy = offsets < clips ? "; one for each would be right, 0 for a clip in step" : ""
        throw UsageMistake(
            "--offset is given \(count(offsets, "time")) for \(count(clips, "clip")) after \(reference)\(remedy)")
    }
}

/// Walks over a command line: `--name value`, `--name=value`, `-n value`, `--` ends options, the rest are operands.
public struct Arguments {
    public private(set) var rest: ArraySlice<String>
    private let specs: [OptionSpec]
    public private(set) var optionsEnded = false

    public enum Argument {
        /// An option, by its place among the specifications. The value is empty if the option takes none, and nil if it
        /// is missing.
        case option(Int, value: String?)
        case operand(String)
    }

    public init(_ arguments: ArraySlice<String>, specs: [OptionSpec]) { (rest, self.specs) = (arguments, specs) }

    public mutating func next() throws(UsageMistake) -> Argument? {
        guard let text = rest.popFirst() else { return nil }
        if optionsEnded || text == "-" || !text.hasPrefix("-") { return .operand(text) }
        if text == "--" {
            optionsEnded = true
            return try next()
        }
        if let place = specs.firstIndex(where: { spec in spec.short.map { text == "-\($0)" } ?? false }) {
            return .option(place, value: specs[place].value == nil ? "" : rest.popFirst())
        }
        guard text.hasPrefix("--") else {
            throw UsageMistake("\(text): options begin with two dashes; a file of that name is given as ./\(text)")
        }
        let parts = text.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let place = specs.firstIndex(where: { $0.name == name }) else { throw unknown(name) }
        guard specs[place].value != nil else {
            if parts.count > 1 { throw UsageMistake("--\(name) takes no value") }
            return .option(place, value: "")
        }
        return .option(place, value: parts.count > 1 ? String(parts[1]) : rest.popFirst())
    }

    private func unknown(_ name: String) -> UsageMistake {
        let near = meant(by: name, among: specs.map(\.name))
        return UsageMistake("unknown option --\(name)" + (near.map { "; did you mean --\($0)?" } ?? ""))
    }
}

/// Returns the name that `word` begins, or one with a similar spelling. nil if there is none.
public func meant(by word: String, among names: [String]) -> String? {
    names.first { $0.hasPrefix(word) && word.count > 1 } ?? nearest(to: word, among: names)
}

/// The program's name and arguments, as the kernel keeps them.
///
/// Swift's `CommandLine` looks for them in memory in front of the environment. If a preloaded library has called
/// setenv, the environment is elsewhere. Without /proc, `CommandLine` is used.
public func commandLine() throws(UsageMistake) -> [String] {
    // Each argument ends with a zero, an empty one too.
    guard case .success((let bytes, _)) = bytes(of: "/proc/self/cmdline"), bytes.last == 0 else {
        return CommandLine.arguments
    }
    var arguments: [String] = []
    for word in bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false) {
        guard let argument = String(validating: word, as: UTF8.self) else {
            throw UsageMistake("names must be UTF-8, and this is not: \(String(decoding: word, as: UTF8.self))")
        }
        arguments.append(argument)
    }
    return arguments
}
