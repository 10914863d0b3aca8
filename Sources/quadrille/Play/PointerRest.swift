import Base

/// Hides the pointer when it has not moved for two seconds. Only a move counts: a window that opens under the pointer
/// also receives its place.
struct PointerRest {
    private(set) var hidesAt: Time?
    private var place: Point?
    private var isHidden = false
    private static let rest = Time.seconds(2)

    enum Stir { case none, moved, cameBack }

    mutating func pointer(at point: Point, _ now: Time) -> Stir {
        defer { place = point }
        if place == nil { hidesAt = now + Self.rest }
        guard let place, place != point else { return .none }
        hidesAt = now + Self.rest
        defer { isHidden = false }
        return isHidden ? .cameBack : .moved
    }

    /// True once, when the pointer is to be hidden.
    mutating func isToHide(at now: Time) -> Bool {
        guard let hidesAt, now >= hidesAt else { return false }
        (self.hidesAt, isHidden) = (nil, true)
        return true
    }
}
