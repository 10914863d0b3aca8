import Expectations
import Foundation
import Heard
import Testing

import enum TestKit.Samples

@testable import Base
@testable import Media

/// The sweep that all these files hold. No two parts of it are alike.
private let sweep = "aevalsrc=0.4*sin(2*PI*(300*t+500*t*t)):s=48000:d=2"
private func sweepSample(_ index: Int64) -> Float {
    let time = Double(index) / 48_000
    return Float(0.4 * sin(2 * Double.pi * (300 * time + 500 * time * time)))
}

/// The left channel of a file, read from sample `from` to its end.
func readSound(_ reader: SoundReader, from: Int64 = 0) throws -> (start: Int64, left: [Float]) {
    try reader.seek(to: from)
    var result: (start: Int64, left: [Float])?
    while case .block(let block) = try reader.next() {
        if result == nil { result = (block.start, []) }
        let gap = block.start - result!.start - Int64(result!.left.count)
        try #require(gap == 0, "a gap of \(gap) samples before \(block.start)")
        result!.left += Samples.left(of: block.samples)
    }
    return try #require(result)
}

/// Number of samples by which `sound` lags behind the sweep, around sample `at`.
private func lag(_ sound: (start: Int64, left: [Float]), at: Int64) -> Int64 {
    let reference = (0..<800).map { sweepSample(at + $0) }
    return Int64(Samples.shift(sound.left, at: Int(at - sound.start), from: reference, reach: 500))
}

@Suite struct SoundReaderTests {
    static let frame = ["-f", "lavfi", "-i", "testsrc=s=64x36:r=30:d=2"]

    private func make(_ folder: Folder, _ name: String, _ arguments: [String], frame: Bool) throws -> String {
        try folder.ffmpeg(
            (frame ? Self.frame : []) + ["-f", "lavfi", "-i", sweep]
                + (frame ? ["-c:v", name.hasSuffix("webm") ? "libvpx-vp9" : "libx264", "-shortest"] : [])
                + arguments + [name])
        return folder.file(name)
    }

    @Test(
        arguments: [
            ("a.mp4", ["-c:a", "aac", "-b:a", "128k"]), ("b.mp4", ["-c:a", "libmp3lame"]),
            ("a.avi", ["-c:a", "pcm_s16le"]),
            ("a.mkv", ["-c:a", "flac"]), ("b.mkv", ["-c:a", "libmp3lame"]),
            ("c.mkv", ["-c:a", "libvorbis"]), ("a.webm", ["-c:a", "libopus"]), ("a.mov", ["-c:a", "pcm_s16le"]),
            ("a.m4a", ["-c:a", "aac"]), ("a.mp3", ["-c:a", "libmp3lame"]), ("a.opus", ["-c:a", "libopus"]),
            ("a.ogg", ["-c:a", "libvorbis"]), ("a.wav", []), ("a.flac", []),
            ("b.wav", ["-ar", "44100", "-c:a", "pcm_f32le"]),
            ("b.m4a", ["-c:a", "aac", "-ar", "44100"]),
        ] as [(String, [String])])
    func soundLiesWhereItBelongsHoweverOneComesToIt(name: String, arguments: [String]) throws {
        let folder = try Folder()
        let hasFrame = ["mp4", "mkv", "webm", "mov", "avi"].contains { name.hasSuffix($0) }
        let path = try make(folder, name, arguments, frame: hasFrame)
        let reader = try SoundReader.open(SoundSource(path), deadline: Deadline())
        let whole = try readSound(reader)
        for at in [2000, 30_000, 60_000, 92_000] as [Int64] {
            let lag = lag(whole, at: at)
            // Matroska's ticks are milliseconds. FFmpeg dates the last page of Ogg Vorbis back from the file's end.
            let isCoarse = name == "b.mkv" || name == "c.mkv" || name == "a.ogg" && at > 90_000
            expect(abs(lag), atMost: (isCoarse ? 48 : 1), "\(lag) at \(at)")
        }
        expect(whole.start <= 0 || name == "c.mkv")
        if !hasFrame { expect(whole.start == 0 && whole.left.count == 96_000, "\(whole.left.count) samples") }
        for from in [0, 50_000, 33_333, 0, 4_000] as [Int64] {
            let part = try readSound(reader, from: from)
            expect(part.start, equals: max(from, whole.start))
            let skipped = Int(part.start - whole.start)
            let difference = Samples.largestDifference(part.left[...], whole.left[skipped...]) ?? 1
            expect(difference, below: 0.02, "from \(from)")
            expect(part.left.count, equals: whole.left.count - skipped, "from \(from)")
        }
    }

    /// The padding that encoders put before and after a sound is not counted.
    @Test(
        arguments: [
            ("a.mp3", ["-c:a", "libmp3lame"]), ("b.mp3", ["-c:a", "libmp3lame", "-q:a", "4"]),
            ("a.opus", ["-c:a", "libopus"]), ("a.ogg", ["-c:a", "libvorbis"]), ("a.wav", []), ("a.flac", []),
            ("a.m4a", ["-c:a", "aac"]), ("a.mka", ["-c:a", "libopus"]),
        ] as [(String, [String])])
    func aSoundIsAsLongAsWhatIsHeardOfIt(name: String, arguments: [String]) throws {
        for seconds in [2, 7] {
            let folder = try Folder()
            let tone = "sine=500:sample_rate=48000:duration=\(seconds)"
            try folder.ffmpeg(["-f", "lavfi", "-i", tone] + arguments + [name])
            let length = try Source.open(folder.file(name), deadline: Deadline()).facts.length
            let off = (length ?? .zero) - .seconds(Int64(seconds))
            // Matroska's ticks are milliseconds.
            expect(abs(off.ticks), atMost: (name == "a.mka" ? Time.milliseconds(1) : Time(ticks: 1)).ticks)
        }
    }

    @Test func tracksAndChannelsAreChosen() throws {
        let folder = try Folder()
        let tone = { (hertz: Int) in ["-f", "lavfi", "-i", "sine=\(hertz):sample_rate=48000:duration=1"] }
        try folder.ffmpeg(
            tone(300) + tone(500) + tone(700) + [
                "-filter_complex", "[0][1]join=inputs=2:channel_layout=stereo[j]", "-map", "[j]", "-map", "2",
                "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger", "-c:a", "pcm_s16le", "a.mkv",
            ])
        let path = folder.file("a.mkv")
        func loudest(_ choice: SoundChoice) throws -> Int {
            let reader = try SoundReader.open(SoundSource(path, choice), deadline: Deadline())
            expect(reader.trackCount, equals: 2)
            let left = try readSound(reader).left
            return [300, 500, 700].max { Samples.amplitude(left, $0) < Samples.amplitude(left, $1) }!
        }
        try expect(loudest(SoundChoice()), equals: 300)
        try expect(loudest(SoundChoice(.number(1), channel: .right)), equals: 500)
        try expect(loudest(SoundChoice(.number(2))), equals: 700)
        try expect(loudest(SoundChoice(.language("de"))), equals: 700)
        try expect(loudest(SoundChoice(.language("eng"), channel: .left)), equals: 300)
        #expect(throws: SoundCondition.noTrack(tracks: 2)) { try loudest(SoundChoice(.number(3))) }
        #expect(throws: SoundCondition.noTrack(tracks: 2)) { try loudest(SoundChoice(.language("fr"))) }
    }

    @Test(
        arguments: ["mono", "stereo", "2.1", "quad", "5.1", "7.1"], ["pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_f64le"])
    func anyLayoutAndFormatBecomesStereo(layout: String, codec: String) throws {
        let folder = try Folder()
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=0.5*sin(2*PI*400*t):s=32000:d=0.5", "-af",
            "aformat=channel_layouts=mono,pan=\(layout)|c0=c0|c1=c0".replacing("mono|c0=c0|c1=c0", with: "mono|c0=c0"),
            "-c:a", codec, "a.wav",
        ])
        let sound = try readSound(.open(SoundSource(folder.file("a.wav")), deadline: Deadline()))
        expect(sound.start == 0 && abs(sound.left.count - 24_000) <= 2)
        expect(0.15...0.51 ~= Samples.amplitude(sound.left, 400), "\(Samples.amplitude(sound.left, 400))")
    }
}
