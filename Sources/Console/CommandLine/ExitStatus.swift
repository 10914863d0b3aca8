public enum ExitStatus {
    public static let done: Int32 = 0
    public static let failed: Int32 = 1
    public static let usage: Int32 = 2
    public static let seams: Int32 = 3
    public static let displayGone: Int32 = 4
    public static let unwritten: Int32 = 5

    /// Returns the status that a shell reports for a program ended by a signal.
    static func signal(_ number: Int32) -> Int32 { 128 + number }
}

public let version = "0.2.0"
