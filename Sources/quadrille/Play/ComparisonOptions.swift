import Base
import Console
import Layout

/// Offsets and mode of a comparison of clips.
struct ComparisonOptions {
    private var offsets: [Time] = []
    /// nil if not given.
    private var mode: ComparisonMode?

    static let options: [Option<ComparisonOptions>] = [
        Option(
            "mode", .oneOf(ComparisonMode.allCases.map(\.rawValue), "WAY"),
            "way of comparing two clips: wipe, difference, signed, heat, blink or overlay", default: "wipe",
            .notAfterHelp,
            into: \.mode),
        Option(
            "offset", .offset, "how far B is ahead of A (-: behind); one for each after A", default: "by timestamps"
        ) {
            $0.offsets.append($1)
        },
    ]

    /// Each clip needs a decoder.
    private static let mostClips = 64

    func content(of clips: [String]) throws(UsageMistake) -> WallContent {
        guard let first = clips.first else { throw UsageMistake("clips to compare are missing: A and B, and more") }
        guard clips.count > 1 else {
            throw UsageMistake("what to compare with \(first) is missing: two clips, A and B, or more")
        }
        guard clips.count <= Self.mostClips else {
            throw UsageMistake("\(clips.count) clips; at most \(Self.mostClips) are compared")
        }
        if !offsets.isEmpty {
            try UsageMistake.refuse(offsets: offsets.count, for: clips.count - 1, after: "the first")
        }
        if let mode, clips.count > 2 {
            throw UsageMistake(
                "--mode \(mode.rawValue): \(clips.count) clips are shown in a grid; two would be compared that way. In "
                    + "the grid, c compares two tiles")
        }
        guard case .media = try WallContent(clips) else { throw UsageMistake("clips are compared, not layouts") }
        return .comparison(clips, offsets: offsets, mode ?? .wipe)
    }
}
