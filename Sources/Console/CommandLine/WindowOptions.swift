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

    public static let specs = [
        OptionSpec(name: "position", value: "X,Y", help: "its place, from the display's corner"),
        OptionSpec(name: "display", value: "N", help: "which display, from 0"),
        OptionSpec(name: "fullscreen", value: nil, help: "fill the display"),
        OptionSpec(name: "windowed", value: nil, help: "do not fill the display"),
        OptionSpec(name: "borderless", value: nil, help: "a window without a frame"),
        OptionSpec(name: "canvas", value: "auto|gpu|cpu", help: "what draws the frames"),
    ]

    public mutating func take(_ name: String, _ value: String) throws(UsageMistake) -> Taking {
        switch name {
        case "position": position = try Values.position(value)
        case "display": display = try Values.whole(value, 0...255, "--display")
        case "fullscreen": fullscreen = .on
        case "windowed": fullscreen = .off
        case "borderless": isBorderless = true
        case "canvas": canvas = try Values.word(value, "--canvas", ["auto", "gpu", "cpu"], CanvasChoice.init)
        default: return .another
        }
        return .taken
    }

    /// Applies the options to a layout.
    public func apply(to layout: inout Layout) {
        if let position { layout.window.position = position }
        if let display { layout.window.display = display }
        if let fullscreen { layout.window.fullscreen = fullscreen }
        if let isBorderless { layout.window.isBorderless = isBorderless }
    }
}
