import Base
import Decoded
import Files
import Glibc
import Layout
import Scene

/// A surface that scenes are drawn on. Main thread only.
protocol Canvas: AnyObject {
    var name: String { get }

    /// Draws the changed parts and puts them on the screen.
    func present(_ scene: Scene) -> Presentation

    var drawings: SceneDrawings { get }

    /// Notes that the screen's content may be lost, since the window was covered or has a new size: the next present
    /// draws everything. `losesTextures`: true if the GPU has lost its textures, too.
    func invalidate(losesTextures: Bool)

    /// Returns the canvas's pixels, row by row, 0xFFRRGGBB.
    func snapshot() -> (Size, [UInt32])
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

extension CanvasChoice {
    /// Opens a window and the canvas on it.
    ///
    /// `auto` loads no OpenGL if there is no GPU, and chooses the CPU canvas if OpenGL is rendered in software. `gpu`
    /// accepts any renderer, down to SDL's own software renderer.
    func open(
        _ title: String, _ layout: WindowLayout, _ texts: TextMaker?
    ) throws(ScreenTrouble) -> (NativeWindow, any Canvas) {
        if frameFormats == .textures, let window = try? NativeWindow(title, layout, for: .openGL),
            let canvas = GPUCanvas(window: window, mayBeSoftware: self == .gpu, texts: texts),
            self == .gpu || !canvas.isSoftware
        {
            return (window, canvas)
        }
        let window = try NativeWindow(title, layout, for: .plain)
        if self != .gpu { return (window, CPUCanvas(window: window, texts: texts)) }
        guard let canvas = GPUCanvas(window: window, mayBeSoftware: true, texts: texts) else {
            throw ScreenTrouble(.noCanvas, "no renderer for --canvas gpu; try --canvas cpu")
        }
        return (window, canvas)
    }

    /// Frame formats that the canvas will accept, known before there is a window.
    public var frameFormats: FrameFormats { self == .gpu || self == .auto && hasGPU() ? .textures : .all }
}

/// True if there is a render node of the kernel, or NVIDIA's device.
private func hasGPU() -> Bool {
    access("/dev/nvidiactl", F_OK) == 0
        || entries(ofFolder: "/dev/dri")?.contains { $0.name.hasPrefix("renderD") } ?? false
}
