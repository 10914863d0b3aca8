import Base
import Layout
import Screen

/// Place of the window, and what draws in it. A value is nil if the option was not given: the layout's holds.
public struct WindowOptions: Sendable {
    var position: Point?
    var display: Int?
    public var fullscreen: Fullscreen?
    var isBorderless: Bool?
    public var canvas = CanvasChoice.auto

    public init() {}

    public static let options: [Option<WindowOptions>] = [
        Option("position", .position, "the window's place, from the display's corner", into: \.position),
        Option("display", .whole(0...255, "N", names: .display), "number of the display, from 0", into: \.display),
        Option(flag: "fullscreen", "fill the display", sets: \.fullscreen, to: .on),
        Option(flag: "windowed", "do not fill the display", sets: \.fullscreen, to: .off),
        Option(flag: "borderless", "a window without a frame", sets: \.isBorderless, to: true),
        Option(
            "canvas", .oneOf(["auto", "gpu", "cpu"]), "what draws the frames", default: "auto", .notAfterHelp,
            into: \.canvas),
    ]

    /// Applies the options to a layout.
    public func apply(to layout: inout Layout) {
        if let position { layout.window.position = position }
        if let display { layout.window.display = display }
        if let fullscreen { layout.window.fullscreen = fullscreen }
        if let isBorderless { layout.window.isBorderless = isBorderless }
    }
}
