enum ExitStatus {
    static let done: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    static let seams: Int32 = 3
    static let displayGone: Int32 = 4
    static let unwritten: Int32 = 5

    /// Returns the status that a shell reports for a program ended by a signal.
    static func signal(_ number: Int32) -> Int32 { 128 + number }
}

let version = "0.1.0"
