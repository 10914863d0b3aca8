import Base
import Glibc

/// Mistake in the command line, and what would be right.
public struct UsageMistake: Error {
    public var text: String
    public init(_ text: String) { self.text = text }
}

/// One option: `--name` or `--name VALUE`.
public struct OptionSpec: Sendable {
    public let name: String
    /// Placeholder for the value in the help; nil if the option takes none.
    public let value: String?
    public let help: String

    public init(name: String, value: String?, help: String) {
        (self.name, self.value, self.help) = (name, value, help)
    }
}

/// Walks over a command line: `--name value`, `--name=value`, `--` ends options, the rest are operands.
public struct Arguments {
    private var rest: ArraySlice<String>
    private let specs: [OptionSpec]
    private var optionsEnded = false

    public enum Argument {
        case option(String, value: String)
        case operand(String)
    }

    public init(_ arguments: [String], specs: [OptionSpec]) { (rest, self.specs) = (arguments[...], specs) }

    public mutating func next() throws(UsageMistake) -> Argument? {
        guard let text = rest.popFirst() else { return nil }
        if optionsEnded || text == "-" || !text.hasPrefix("-") { return .operand(text) }
        if text == "--" {
            optionsEnded = true
            return try next()
        }
        if text == "-h", specs.contains(where: { $0.name == "help" }) { return .option("help", value: "") }
        guard text.hasPrefix("--") else {
            throw UsageMistake("\(text): options begin with two dashes; a file of that name is given as ./\(text)")
        }
        let parts = text.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let spec = specs.first(where: { $0.name == name }) else { throw unknown(name) }
        guard spec.value != nil else {
            if parts.count > 1 { throw UsageMistake("--\(name) takes no value") }
            return .option(name, value: "")
        }
        if parts.count > 1 { return .option(name, value: String(parts[1])) }
        guard let value = rest.popFirst() else {
            throw UsageMistake("--\(name) needs a value: --\(name) \(spec.value ?? "")")
        }
        return .option(name, value: value)
    }

    private func unknown(_ name: String) -> UsageMistake {
        let near = meant(by: name, among: specs.map(\.name))
        return UsageMistake("unknown option --\(name)" + (near.map { "; did you mean --\($0)?" } ?? ""))
    }
}

/// Returns the name that `word` begins, or one that is near. nil if there is none.
public func meant(by word: String, among names: [String]) -> String? {
    names.first { $0.hasPrefix(word) && word.count > 1 } ?? nearest(to: word, among: names)
}

/// The program's name and arguments, as the kernel keeps them.
///
/// `CommandLine` looks for them in front of the environment, which is elsewhere once a preloaded library has called
/// setenv. Without /proc, `CommandLine` is used.
public func commandLine() throws(UsageMistake) -> [String] {
    let file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return CommandLine.arguments }
    defer { close(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(file, &block, block.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        bytes += block[..<count]
    }
    // Each argument ends with a zero, an empty one too.
    guard bytes.last == 0 else { return CommandLine.arguments }
    var arguments: [String] = []
    for word in bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false) {
        guard let argument = String(validating: word, as: UTF8.self) else {
            throw UsageMistake("names must be UTF-8, and this is not: \(String(decoding: word, as: UTF8.self))")
        }
        arguments.append(argument)
    }
    return arguments
}
