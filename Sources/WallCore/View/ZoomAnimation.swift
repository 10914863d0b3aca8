/// A rectangle on its way to another one: quick at first, then slower.
public struct ZoomAnimation: Hashable, Sendable {
    public let from: Rect
    public let to: Rect
    public let begin: Time
    public static let length = Time.milliseconds(200)

    public init(from: Rect, to: Rect, at begin: Time) { (self.from, self.to, self.begin) = (from, to, begin) }

    public func isOver(at now: Time) -> Bool { now >= begin + ZoomAnimation.length }

    /// Edges move by themselves and are rounded, as those of tiles are.
    public func rect(at now: Time) -> Rect {
        if now <= begin { return from }
        if isOver(at: now) { return to }
        let left = 1 - Double((now - begin).ticks) / Double(ZoomAnimation.length.ticks)
        let way = 1 - left * left * left
        func edge(_ old: Int, _ new: Int) -> Int { old + Int((Double(new - old) * way).rounded()) }
        let x = edge(from.x, to.x), y = edge(from.y, to.y)
        return Rect(x, y, edge(from.maxX, to.maxX) - x, edge(from.maxY, to.maxY) - y)
    }

    /// To another goal from where it is now.
    public func turned(to goal: Rect, at now: Time) -> ZoomAnimation {
        ZoomAnimation(from: rect(at: now), to: goal, at: now)
    }
}
