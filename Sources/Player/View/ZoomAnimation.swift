import Base

/// Animation from one rect to another: quick at first, then slower.
public struct ZoomAnimation: Hashable, Sendable {
    public let from: Rect
    public let to: Rect
    public let begin: Time
    public static let length = Time.milliseconds(200)

    public init(from: Rect, to: Rect, at begin: Time) { (self.from, self.to, self.begin) = (from, to, begin) }

    public func isOver(at now: Time) -> Bool { now >= begin + ZoomAnimation.length }

    /// Edges move separately and are rounded, as tiles' edges are.
    public func rect(at now: Time) -> Rect {
        if now <= begin { return from }
        if isOver(at: now) { return to }
        let left = 1 - Double((now - begin).ticks) / Double(ZoomAnimation.length.ticks)
        let way = 1 - left * left * left
        func edge(_ old: Int, _ new: Int) -> Int { old + Int((Double(new - old) * way).rounded()) }
        let x = edge(from.x, to.x), y = edge(from.y, to.y)
        return Rect(x, y, edge(from.maxX, to.maxX) - x, edge(from.maxY, to.maxY) - y)
    }

    /// Redirects the animation from its current rect to another goal.
    public func turned(to goal: Rect, at now: Time) -> ZoomAnimation {
        ZoomAnimation(from: rect(at: now), to: goal, at: now)
    }
}
