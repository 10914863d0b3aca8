/// Amount that the server buffers for playback, in milliseconds. A depth learned by one stream holds for later ones.
struct BufferDepth {
    private(set) var milliseconds = usual
    private var longest = longestUsual

    /// A busy machine blocks a thread for less than this.
    private static let usual: UInt32 = 200
    private static let longestUsual: UInt32 = 450
    /// Live sound must be heard within 150 ms. An occasional gap is accepted for that.
    private static let prompt: UInt32 = 50
    private static let longestPrompt: UInt32 = 112

    mutating func setPrompt(_ isPrompt: Bool) {
        milliseconds = isPrompt ? Self.prompt : Self.usual
        longest = isPrompt ? Self.longestPrompt : Self.longestUsual
    }

    var canGrow: Bool { milliseconds < longest }

    /// Grows by half after an underflow.
    mutating func grow() { milliseconds = min(milliseconds / 2 * 3, longest) }
}
