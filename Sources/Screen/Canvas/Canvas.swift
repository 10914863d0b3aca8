import Media
import WallCore

/// What views are drawn on. Main thread only.
protocol Canvas: AnyObject {
    var name: String { get }

    /// Draws what changed and puts it on the screen.
    func present(_ scene: Scene) -> Presentation

    /// So soon after the instant of the scene that was presented last its words are to be drawn anew; nil: not by
    /// themselves.
    var lyricsChange: Time? { get }

    /// What is on the screen may be gone: the next present draws everything.
    func invalidate(_ loss: CanvasLoss)

    /// What the canvas shows, row by row, 0xFFRRGGBB.
    func snapshot() -> (Size, [UInt32])
}

enum CanvasLoss {
    /// The window was covered, or has a new size.
    case pixels
    /// The GPU has lost its textures.
    case textures
}

/// What became of a scene.
public enum Presentation: Sendable, Hashable {
    /// It is on the screen.
    case drawn
    /// It looks as what is on the screen already.
    case unchanged
    /// The window could not take it (it is changing its size, or gone): present again.
    case lost
}
