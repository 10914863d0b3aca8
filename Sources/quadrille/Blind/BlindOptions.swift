import Base
import Console
import Player

/// The command line of `blind`.
struct BlindOptions {
    /// Clips A and B.
    private(set) var clips: [String] = []
    /// Time by which B is ahead of A; nil if the timestamps state it.
    private(set) var offset: Time?
    private(set) var trials = BlindOptions.usualTrials
    /// File to which the trials are written.
    private(set) var json: String?
    /// Options of the wall. Only the size can be set.
    private(set) var wall = WallOptions()
    private(set) var window = WindowOptions()

    private static let usualTrials = 16

    static let options = Option<BlindOptions>.table(
        [
            Option(
                "trials", .whole(1...BlindTest.mostTrials, "N"), "number of trials", default: "\(usualTrials)",
                into: \.trials),
            Option(
                "offset", .offset, "how far ahead of A is B (-: behind)", default: "by timestamps", into: \.offset),
            Option("json", .file("FILE"), "write the trials into FILE at the end", into: \.json),
        ],
        [WallOptions.size("the window's size in pixels", default: "A's shape")].lifted(into: \.wall),
        WindowOptions.options.lifted(into: \.window), [.help])

    init(_ arguments: [String]) throws(UsageMistake) {
        clips = try Self.options.read(arguments, into: &self)
        switch clips.count {
        case 2: break
        case 0: throw UsageMistake("two clips are missing: A and B")
        case 1: throw UsageMistake("what to compare with \(clips[0]) is missing: two clips, A and B")
        default: throw UsageMistake("two clips, A and B, and not \(clips.count)")
        }
        guard case .media = try WallContent(clips) else { throw UsageMistake("clips are compared, not layouts") }
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
