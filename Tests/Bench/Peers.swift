import Foundation
import TestKit

/// The players that a wall is compared with, and how each is made to show one.
struct Peers {
    let mpv: Bool
    let gstreamer: Bool
    let absent: [String]

    init() {
        mpv = Peers.isInstalled("mpv")
        gstreamer = Peers.hasGStreamer
        absent = (mpv ? [] : ["mpv"]) + (gstreamer ? [] : ["GStreamer with its libav, base, good and bad plugins"])
    }

    private static func isInstalled(_ name: String) -> Bool {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    private static var hasGStreamer: Bool {
        let elements = ["compositor", "ximagesink", "avdec_h264", "h264parse", "qtdemux"]
        return isInstalled("gst-launch-1.0")
            && elements.allSatisfy { (try? TestKit.run(["gst-inspect-1.0", "--exists", $0])) != nil }
    }
}

/// Files in a grid in a window of 1280x720.
struct Grid {
    static let window = (width: 1280, height: 720)
    let files: [String]
    let rate: Int
    let columns: Int
    let rows: Int

    init(_ files: [String], rate: Int = 30) {
        (self.files, self.rate) = (files, rate)
        columns = Int(Double(files.count).squareRoot().rounded(.up))
        rows = (files.count + columns - 1) / columns
    }

    /// Size of a tile; even, as filters require.
    var tile: (width: Int, height: Int) {
        (Grid.window.width / columns / 2 * 2, Grid.window.height / rows / 2 * 2)
    }
    func place(_ index: Int) -> (x: Int, y: Int) { (index % columns * tile.width, index / columns * tile.height) }

    /// Commands that decode to nothing, one thread each, all at once.
    var floor: [[String]] {
        files.map { ["ffmpeg", "-nostdin", "-v", "error", "-threads", "1", "-i", $0, "-f", "null", "-"] }
    }

    /// The same at the films' pace, as a playing wall decodes.
    var pacedFloor: [[String]] { floor.map { $0.flatMap { $0 == "-i" ? ["-re", $0] : [$0] } } }

    func quadrille(_ options: [String]) -> [String] {
        [Program.path!, "--no-audio", "--quiet", "--size", "1280x720", "--position", "0,0", "--borderless"] + options
            + files
    }

    enum Tuning { case usual, fastest }

    /// `.fastest`: one thread a decoder, and mpv's coarsest scaler.
    func mpv(_ tuning: Tuning = .usual, _ options: [String] = []) -> [String] {
        let flags = tuning == .fastest ? ":flags=fast_bilinear" : ""
        let (width, height) = tile
        var graph = ""
        for index in files.indices { graph += "[vid\(index + 1)]scale=\(width):\(height)\(flags)[t\(index)];" }
        if files.count == 1 {
            graph = "[vid1]scale=\(width):\(height)\(flags)[vo]"
        } else {
            let places = files.indices.map { "\(place($0).x)_\(place($0).y)" }.joined(separator: "|")
            graph += files.indices.map { "[t\($0)]" }.joined()
            graph += "xstack=inputs=\(files.count):layout=\(places):fill=black[vo]"
        }
        return Grid.mpv
            + (tuning == .fastest ? ["--vd-lavc-threads=1", "--sws-fast=yes", "--sws-scaler=fast-bilinear"] : [])
            + options + files.dropFirst().map { "--external-file=\($0)" } + ["--lavfi-complex=\(graph)", files[0]]
    }

    /// Plays the first file, without a filter graph.
    func mpvAlone(_ options: [String]) -> [String] { Grid.mpv + options + [files[0]] }

    private static let mpv = [
        "mpv", "--no-config", "--no-audio", "--vo=x11", "--osc=no", "--ytdl=no", "--load-scripts=no",
        "--geometry=1280x720+0+0", "--no-border",
    ]

    var gstreamer: [String] {
        let (width, height) = tile
        var command = ["gst-launch-1.0", "-q", "compositor", "name=c", "background=black"]
        for index in files.indices {
            let (x, y) = place(index)
            command += [
                "sink_\(index)::xpos=\(x)", "sink_\(index)::ypos=\(y)", "sink_\(index)::width=\(width)",
                "sink_\(index)::height=\(height)",
            ]
        }
        command += "! video/x-raw,width=1280,height=720,framerate=\(rate)/1 ! videoconvert ! ximagesink"
            .split(separator: " ").map(String.init)
        for (index, file) in files.enumerated() {
            command += ["filesrc", "location=\(file)"]
            command += "! qtdemux ! h264parse ! avdec_h264 ! queue max-size-buffers=4 ! c.sink_\(index)"
                .split(separator: " ").map(String.init)
        }
        return command
    }
}
