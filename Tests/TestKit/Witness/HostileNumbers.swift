import Foundation

/// Films whose headers and timestamps are impossible, made by the `ffmpeg` tool and by changing bytes.
public enum HostileNumbers {
    /// Expressions for the changed timestamps, each with a name.
    private static let wild: [(name: String, which: String)] = [
        ("second-2^58", "if(eq(N\\,1)\\,288230376151711806\\,%)"),
        ("second-far", "if(eq(N\\,1)\\,20000000000000\\,%)"),
        ("second-before", "if(eq(N\\,1)\\,-9000000000000000000\\,%)"),
        ("tenth-later", "if(eq(N\\,10)\\,90000000000\\,%)"),
        ("all-far", "%+20000000000000"),
        ("all-at-the-end", "%+9000000000000000000"),
    ]

    /// Makes the films and returns them with names. Each call takes some three seconds.
    public static func films() throws -> [(name: String, path: String)] {
        let base = Scratch.path("base.mkv")
        try run([
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=160x120:r=25:d=1", "-f", "lavfi",
            "-i", "sine=d=1", "-c:v", "mpeg4", "-c:a", "libvorbis", base,
        ])
        var films: [(String, String)] = []
        for container in ["mkv", "nut", "ogv", "mov", "ts"] {
            let codecs = container == "ogv" ? ["-c:v", "libtheora"] : ["-c:v", "copy"]
            let sound = ["ogv", "mkv"].contains(container) ? ["-c:a", "copy"] : ["-an"]
            for (name, which) in wild {
                let path = Scratch.path("\(name).\(container)")
                func stamps(_ kind: String) -> String {
                    "\(kind)=" + which.replacingOccurrences(of: "%", with: kind.uppercased())
                }
                let child = try Child(
                    ["ffmpeg", "-nostdin", "-v", "quiet", "-y", "-i", base] + codecs + sound
                        + ["-bsf:v", "setts=\(stamps("pts")):\(stamps("dts"))", path])
                // A muxer may stop in the middle. The unfinished file is a test case as well.
                _ = child.wait(atMost: 20)
                let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                if size ?? 0 > 1000 { films.append(("\(container) \(name)", path)) }
            }
        }
        return films + (try headers(of: base))
    }

    /// Returns whole files with one header field changed: scale, rate or size in AVI, time scale in MP4.
    private static func headers(of base: String) throws -> [(String, String)] {
        let avi = Scratch.path("whole.avi"), mp4 = Scratch.path("whole.mp4")
        for path in [avi, mp4] {
            try run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", base, "-an", "-c:v", "copy", path])
        }
        var films: [(String, String)] = []
        let rates: [(UInt32, UInt32)] = [(.max / 2, 1), (.max, 1), (1, .max / 2), (0, 0), (172_800, 1)]
        for (scale, rate) in rates {
            try films.append(
                (
                    "avi \(scale)/\(rate)",
                    changed(avi, after: "strh", by: 24, to: [scale.littleEndian, rate.littleEndian])
                ))
        }
        for scale in [0, 1, .max / 2, .max] as [UInt32] {
            try films.append(
                (
                    "mp4 scale \(scale)",
                    changed(mp4, after: "mdhd", by: 12, to: [scale.bigEndian, UInt32.max.bigEndian])
                ))
        }
        for side in [.max / 2, 65_535, 0] as [UInt32] {
            try films.append(
                ("avi \(side) pixels", changed(avi, after: "strf", by: 8, to: [side.littleEndian, side.littleEndian])))
        }
        return films
    }

    /// Writes a copy in which `words` stand `offset` bytes behind the name of a chunk.
    private static func changed(_ path: String, after name: String, by offset: Int, to words: [UInt32]) throws -> String
    {
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let place = data.range(of: Data(name.utf8)) else { throw Child.Failure.notFound(name) }
        for (index, word) in words.enumerated() {
            let start = place.upperBound + offset + index * 4
            data.replaceSubrange(start..<start + 4, with: withUnsafeBytes(of: word) { Data($0) })
        }
        let copy = Scratch.path("changed." + (path as NSString).pathExtension)
        try data.write(to: URL(fileURLWithPath: copy))
        return copy
    }
}
