import Expectations
import Foundation
import TestKit
import Testing

@testable import Base

// Lists of segments, and the troubles of sources that lead elsewhere.

/// Makes a film in two segments of a second, and its list.
func segments(_ folder: Folder, frames: Int = 50) throws {
    _ = try folder.numbered("film.ts", frames: frames, Folder.x264 + ["-g", "25"])
    try folder.ffmpeg([
        "-i", "film.ts", "-c", "copy", "-f", "hls", "-hls_time", "1", "-hls_list_size", "0",
        "-hls_playlist_type", "vod", "-hls_segment_filename", "part%d.ts", "list.m3u8",
    ])
}

func list(_ folder: Folder, _ name: String, _ lines: [String], ends: Bool = true) throws -> String {
    let head = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:1"]
    let text = (head + lines + (ends ? ["#EXT-X-ENDLIST"] : [])).joined(separator: "\n") + "\n"
    try text.write(toFile: folder.file(name), atomically: false, encoding: .utf8)
    return folder.file(name)
}

func failure(of location: String, within seconds: Double = 3) -> SourceTrouble? {
    let began = TestKit.RealTime.now
    defer { expect(TestKit.RealTime.now - began, below: seconds, "\(location)") }
    do {
        let (source, decoder) = try open(location)
        let frames = try play(source, decoder).shown.count
        Issue.record("\(location): \(frames) frames")
        return nil
    } catch {
        return error as? SourceTrouble
    }
}

func pages(_ folder: Folder) throws -> [String: WebServer.Page] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return Dictionary(uniqueKeysWithValues: names.map { ($0, .init(folder.file($0), .ranges)) })
}
