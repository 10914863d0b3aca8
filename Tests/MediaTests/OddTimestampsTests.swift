import Expectations
import Foundation
import Heard
import Testing

@testable import Base
@testable import Media

/// Films whose timestamps jump, begin anew, repeat or are missing: every frame is shown, each for about its intended
/// duration.
@Suite struct OddTimestampsTests {
    private static let short = Folder.x264 + ["-g", "12", "-bf", "2"]

    private func stretch(_ folder: Folder, _ name: String, offset: Double = 0) throws -> Data {
        _ = try folder.numbered(name, frames: 50, Self.short + ["-output_ts_offset", "\(offset)"])
        return try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
    }

    /// Two stretches of 50 frames. The second's timestamps begin `seconds` after the first's.
    private func joined(_ folder: Folder, by seconds: Double) throws -> String {
        let path = folder.file("joined.ts")
        let first = max(0, -seconds), second = max(0, seconds)
        try (stretch(folder, "a.ts", offset: first) + stretch(folder, "b.ts", offset: second))
            .write(to: URL(fileURLWithPath: path))
        return path
    }

    /// A Matroska film of 50 frames. An expression of ffmpeg's sets its timestamps.
    private func stamped(_ folder: Folder, _ stamps: String) throws -> String {
        _ = try folder.numbered("plain.mkv", frames: 50, Folder.x264 + ["-g", "12", "-bf", "0"])
        try folder.ffmpeg([
            "-i", "plain.mkv", "-c", "copy", "-bsf:v", "setts=ts=\(stamps)", "-avoid_negative_ts", "disabled",
            "stamped.mkv",
        ])
        return folder.file("stamped.mkv")
    }

    private func expectPlausible(_ path: String, _ numbers: [Int], jumps: Bool, _ name: String) throws {
        let (source, decoder) = try open(path)
        // A source that can't seek to its beginning is opened again for each iteration.
        let (again, _) = source.facts.isSeekable ? (source, decoder) : try open(path)
        for source in [source, again] {
            let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
            var shown: [Shown] = []
            while case .frame(let frame) = try reader.next() {
                let number = try number(of: frame.codecFrame)
                shown.append(Shown(number: number, start: frame.start, length: frame.length))
            }
            expect(shown.map(\.number), equals: numbers, "\(name)")
            expect(shown.allSatisfy { (.milliseconds(20)...(.milliseconds(90))).contains($0.length) }, "\(name)")
            expect(reader.hasJumped, equals: jumps, "\(name)")
        }
    }

    @Test(arguments: [3600.0, 60, -3600, -1000, -2])
    func framesKeepTheirPaceWhereTransportStreamTimestampsJump(_ seconds: Double) throws {
        let folder = try Folder()
        let path = try joined(folder, by: seconds)
        try expectPlausible(path, Array(0..<50) + Array(0..<50), jumps: true, "\(seconds)")
    }

    @Test(arguments: [95_440.0, 95_442.5]) func stampsOf33BitsMayWrap(_ offset: Double) throws {
        let folder = try Folder()
        let path = try folder.numbered("wrap.ts", frames: 200, Self.short + ["-output_ts_offset", "\(offset)"])
        try expectPlausible(path, Array(0..<200), jumps: false, "\(offset)")
        try expect(open(path).source.facts.length, equals: .seconds(8))
    }

    static let stamps: [(String, Bool)] = [
        ("floor(TS/160)*160", false), ("if(gte(N\\,25)\\,TS-800\\,TS)", true),
        ("if(gte(N\\,25)\\,TS+7200000\\,TS)", true), ("TS-400", false), ("TS-80", false),
    ]

    @Test(arguments: stamps) func stampsOfMatroskaMayRepeatJumpOrBeNegative(_ stamps: String, _ jumps: Bool) throws {
        let folder = try Folder()
        try expectPlausible(try stamped(folder, stamps), Array(0..<50), jumps: jumps, stamps)
    }

    @Test func framesBeforeTheFirstStampLeaveTheSoundWhereItWas() throws {
        let folder = try Folder()
        try folder.ffmpeg(["-f", "lavfi", "-i", "sine=d=2", "sound.flac"])
        let film = try folder.numbered("plain.mkv", frames: 50, Folder.x264 + ["-g", "12", "-bf", "0"])
        try folder.ffmpeg([
            "-i", film, "-i", "sound.flac", "-map", "0:v", "-map", "1:a", "-c", "copy", "-bsf:v", "setts=ts=TS-400",
            "-avoid_negative_ts", "disabled", "both.mkv",
        ])
        let reader = try SoundReader.open(SoundSource(folder.file("both.mkv")), deadline: Deadline())
        try reader.seek(to: 0)
        guard case .block(let block) = try reader.next() else { throw SourceTrouble(.damaged, "no sound") }
        let (source, _) = try open(folder.file("both.mkv"))
        expect(!source.facts.isSeekable)
        expect(abs(block.start - 19_200), below: 100, "\(block.start)")
    }

    @Test(arguments: [3600.0, -2]) func soundGoesOnWhereStampsJump(_ seconds: Double) throws {
        let folder = try Folder()
        var bytes = Data()
        for offset in [max(0, -seconds), max(0, seconds)] {
            try folder.ffmpeg([
                "-f", "lavfi", "-i", "testsrc=s=64x36:r=25", "-f", "lavfi", "-i", "sine=r=48000", "-t", "2", "-c:v",
                "mpeg2video", "-c:a", "mp2", "-output_ts_offset", "\(offset)", "part.ts",
            ])
            bytes += try Data(contentsOf: URL(fileURLWithPath: folder.file("part.ts")))
        }
        try bytes.write(to: URL(fileURLWithPath: folder.file("joined.ts")))
        let reader = try SoundReader.open(SoundSource(folder.file("joined.ts")), deadline: Deadline())
        try reader.seek(to: 0)
        var end: Int64 = 0
        while case .block(let block) = try reader.next() {
            expect(abs(block.start - end), below: 4800, "\(block.start) after \(end)")
            end = block.end
        }
        expect(abs(end - 4 * 48_000), below: 9600, "\(end)")
    }
}
