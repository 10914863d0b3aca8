import WallCore

/// The pointer hides when it has not moved for two seconds.
struct PointerRest {
    private(set) var hidesAt: Time?
    private var isHidden = false
    private static let rest = Time.seconds(2)

    /// Says whether it has to be shown again.
    mutating func moved(at now: Time) -> Bool {
        hidesAt = now + Self.rest
        defer { isHidden = false }
        return isHidden
    }

    /// Says, once, that it is time.
    mutating func isToHide(at now: Time) -> Bool {
        guard let hidesAt, now >= hidesAt else { return false }
        (self.hidesAt, isHidden) = (nil, true)
        return true
    }
}
