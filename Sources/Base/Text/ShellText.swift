extension String {
    /// The name of a file as a shell reads it: in quotes, if it needs them.
    public var quotedForShell: String {
        let isPlain = unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", "-", "+", "=", "@", "%": true
            default: false
            }
        }
        if isPlain, !isEmpty, !hasPrefix("-") { return self }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
