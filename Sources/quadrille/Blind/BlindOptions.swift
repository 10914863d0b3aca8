import Base
import Console

/// The command line of `blind`.
struct BlindOptions {
    /// Clips A and B.
    private(set) var clips: [String] = []
    /// Time by which B is ahead of A.
    private(set) var offset = Time.zero
    private(set) var trials = 16
    /// File to which the trials are written.
    private(set) var json: String?
    /// Options of the wall. Only the size can be set.
    private(set) var wall = WallOptions()
    private(set) var window = WindowOptions()
    private(set) var wantsHelp = false

    static let specs =
        [
            OptionSpec(name: "trials", value: "N", help: "how many (16)"),
            OptionSpec(name: "offset", value: "TIME", help: "how far ahead of A is B (-: behind)"),
            OptionSpec(name: "json", value: "FILE", help: "the trials, at the end"),
            OptionSpec(name: "size", value: "WxH", help: "the window's size in pixels (A's shape)"),
        ] + WindowOptions.specs + [OptionSpec(name: "help", value: nil, help: "this text")]

    init(_ arguments: [String]) throws(UsageMistake) {
        var reader = Arguments(arguments, specs: Self.specs)
        while let argument = try reader.next() {
            switch argument {
            case .operand(let text): clips.append(text)
            case .option(let name, let value): try take(name, value)
            }
        }
        if wantsHelp { return }
        switch clips.count {
        case 2: break
        case 0: throw UsageMistake("two clips are missing: A and B")
        case 1: throw UsageMistake("what to compare with \(clips[0]) is missing: two clips, A and B")
        default: throw UsageMistake("two clips, A and B, and not \(clips.count)")
        }
        guard case .media = try WallContent(clips) else { throw UsageMistake("clips are compared, not layouts") }
    }

    private mutating func take(_ name: String, _ value: String) throws(UsageMistake) {
        if try wall.take(name, value) == .taken { return }
        if try window.take(name, value) == .taken { return }
        switch name {
        case "trials": trials = try Values.whole(value, 1...BlindTest.mostTrials, "--trials")
        case "offset": offset = try Values.offset(value)
        case "json": json = value
        case "help": wantsHelp = true
        default: preconditionFailure("--\(name) is declared and not read")
        }
    }
}

extension PlayOptions {
    /// Options of the wall of a blind test. The wall is silent: sound would reveal the clip.
    init(_ options: BlindOptions) {
        content = .pair(options.clips[0], options.clips[1], offset: options.offset)
        (wall, window) = (options.wall, options.window)
        sound = .none
    }
}
