import Decoded
import Foundation
import TestKit
import Testing

@testable import Base
@testable import Media

/// A folder of its own for a test, removed when the test is over.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "quadrille-media-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    /// Runs ffmpeg in this folder.
    @discardableResult
    func ffmpeg(_ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
        process.arguments = ["-nostdin", "-v", "error", "-y"] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "ffmpeg \(arguments.joined(separator: " "))")
        return data
    }

    /// A clip whose frames encode their number (up to 287) as two fields of gray: ones to the left, sixteens to the
    /// right.
    func numbered(
        _ name: String, frames: Int, rate: String = "25", size: String = "64x36", _ arguments: [String]
    ) throws -> String {
        let gray = "16+12*if(lt(X\\,W/2)\\,mod(N\\,16)\\,floor(N/16))"
        try MadeFile.make(
            file(name),
            ["-f", "lavfi", "-i", "color=black:s=\(size):r=\(rate),format=yuv420p,geq=lum='\(gray)':cb=128:cr=128"]
                + ["-frames:v", "\(frames)"] + arguments)
        return file(name)
    }

    static let x264 = ["-c:v", "libx264", "-preset", "veryfast", "-qp", "4", "-pix_fmt", "yuv420p"]
    /// One key frame and pyramids of B-frames.
    static let longGroup = x264 + ["-g", "250", "-keyint_min", "250", "-bf", "3", "-sc_threshold", "0"]
    static let vp9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "0", "-crf", "5"]
}

/// The number that a frame of such a clip encodes.
func number(of codecFrame: CodecFrame) throws -> Int {
    let frame = try Scaler().frame(
        from: codecFrame, size: codecFrame.storage, formats: .all, pool: FrameBufferPool())
    let row = frame.planes[0].base + frame.planes[0].stride * (frame.size.height / 2)
    let isFull = frame.format == .i420(Colorimetry(.bt601, .full))
    func digit(_ x: Int) -> Int {
        let luma = isFull ? Int(row[x]) * 219 / 255 : Int(row[x]) - 16
        return (luma + 6) / 12
    }
    return digit(frame.size.width / 4) + 16 * digit(frame.size.width * 3 / 4)
}

struct Shown: Equatable {
    var number: Int
    var start: Time
    var length: Time
}

/// All frames that a reader returns, and its end.
func play(
    _ source: Source, _ decoder: Decoder, from: Time = .zero, until: Time? = nil
) throws -> (shown: [Shown], end: Time) {
    let reader = FrameReader(source: source, decoder: decoder, from: from, until: until)
    var shown: [Shown] = []
    while true {
        switch try reader.next() {
        case .frame(let frame):
            shown.append(
                Shown(number: try number(of: frame.codecFrame), start: frame.start, length: frame.length))
        case .end(let end):
            return (shown, end)
        case .abandoned:
            preconditionFailure("nobody gave it up")
        }
    }
}

func open(_ path: String) throws -> (source: Source, decoder: Decoder) {
    let source = try Source.open(path, deadline: Deadline())
    return (source, try Decoder(for: source, threads: 1))
}

func frame(_ index: Int, of rate: FrameRate) -> Time { rate.start(of: Int64(index)) }
