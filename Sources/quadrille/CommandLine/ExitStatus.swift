enum ExitStatus {
    static let done: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    static let seams: Int32 = 3
}

let version = "0.1.0"
