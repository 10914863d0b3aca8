import Base
import Scene

/// A surface that scenes are drawn on. Main thread only.
protocol Canvas: AnyObject {
    var name: String { get }

    /// Draws the changed parts and puts them on the screen.
    func present(_ scene: Scene) -> Presentation

    /// Time after the last presented scene at which the lyrics must be redrawn; nil if they don't change by themselves.
    var lyricsChange: Time? { get }

    /// Gains of differences that were chosen from the frames of the last presented scene.
    var gains: [TileID: Double] { get }

    /// Notes that the screen's content may be lost: the next present draws everything.
    func invalidate(_ loss: CanvasLoss)

    /// Returns the canvas's pixels, row by row, 0xFFRRGGBB.
    func snapshot() -> (Size, [UInt32])
}

enum CanvasLoss {
    /// The window was covered, or has a new size.
    case pixels
    /// The GPU has lost its textures.
    case textures
}

/// Result of a present.
public enum Presentation: Sendable, Hashable {
    /// The scene is on the screen.
    case drawn
    /// The scene looks the same as the one on the screen.
    case unchanged
    /// The window could not take the scene (it is being resized, or gone): present again.
    case lost
}
