import Foundation
import TestKit

/// Lines for the control socket, and the layout that is damaged.
enum Requests {
    static let layout = """
        { "title": "Fuzz", "window": { "size": [640, 360], "background": "#102030", "input": "all" }, "pipelines": 3,
          "overflow": { "rotate": 2 }, "memory": 64, "max-pixels": [4096, 4096], "grid": { "columns": 2, "gap": 4 },
          "groups": { "main": { "loop": "together", "until": "shortest" } },
          "audio": { "mode": "mix", "volume": 80, "delay": -20, "bed": { "src": "none.ogg", "clock": "wall" } },
          "tiles": [
            { "id": "a", "cell": [0, 0], "span": [1, 2], "play": ["x.mp4", { "src": "y.mkv", "in": 1.5, "out": "0:09" }] },
            { "id": "b", "rect": [0.5, 0, 0.5, 1], "offset": -0.25, "loop": 3, "fit": "cover", "on-error": "hold",
              "play": { "segments": [{ "src": "z.mp4", "in": 0.1, "rate": 0.5 }], "repeat": 2, "crop": [0, 0, 0.5, 1],
                        "turn": 90, "flip": "h", "audio": { "track": 2, "channel": "left", "offset": 0.1 } } } ] }

        """

    static let lines = [
        #"{"command":["seek",12.5,"absolute+exact"],"request_id":7}"#,
        #"{"command":["observe_property",1,"time-pos"]}"#,
        #"{"command":["set_property","tiles/good/mute",true]}"#, #"{"command":["get_property","wall"],"async":true}"#,
        #"{"command":["frame-step"]}"#, #"{"command":["cycle","pause"]}"#, #"{"command":["keypress","i"]}"#,
        #"{"command":{"name":"show-text","text":"${path} ${=time-pos}"}}"#, "set pause no", "add volume -5",
        #"{"command":["next","bad1"]}"#, #"{"command":["expand-text","${tiles/bad0/time-pos}"]}"#,
        #"{"command":["set_property","speed",1e308]}"#, #"{"command":["scrub","bad2",0.25]}"#, "seek -3 relative",
    ]

    /// Sends `count` lines over a connection of their own. Returns how many were sent.
    static func send(_ count: Int, to path: String, _ numbers: inout SeededNumbers) -> Int {
        guard let client = RawClient(path) else { return 0 }
        for index in 0..<count {
            let line = lines.randomElement(using: &numbers)!
            let bytes = index % 3 == 0 ? Array(line.utf8) : Damage.damaged(Array(line.utf8), &numbers)
            client.send(bytes + [0x0A])
        }
        return count
    }
}

/// A connection that is closed without its answers being read.
private final class RawClient {
    private let file: Int32

    init?(_ path: String) {
        file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { return nil }
    }

    func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes {
            Glibc.send(file, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }

    deinit { close(file) }
}
