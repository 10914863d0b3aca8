import CFFmpeg
import Expectations
import Foundation
import Heard
import Testing

import enum TestKit.Samples
import class TestKit.WebServer

@testable import Base
@testable import Media

/// The sound of live sources that was not read for a while.
@Suite struct LiveListSoundTests {
    /// A list of six segments of a second each. Second n of the sound is a tone of 300 + 20 n Hz.
    private final class List {
        let folder: Folder
        let server: WebServer
        var address: String { server.address(of: "live.m3u8") }

        init(seconds: Int) throws {
            folder = try Folder()
            try folder.ffmpeg([
                "-f", "lavfi", "-i", "aevalsrc=0.3*sin(2*PI*(300+20*floor(t))*t):s=48000:d=\(seconds)", "-c:a", "aac",
                "-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "-hls_segment_filename", "part%d.ts", "all.m3u8",
            ])
            server = try WebServer(folder: folder.path)
        }

        func show(from first: Int) throws {
            var lines = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:1", "#EXT-X-MEDIA-SEQUENCE:\(first)"]
            for number in first..<first + 6 { lines += ["#EXTINF:1.0,", "part\(number).ts"] }
            try (lines.joined(separator: "\n") + "\n").write(
                toFile: folder.file("live.m3u8"), atomically: true, encoding: .utf8)
        }
    }

    /// Reads until samples up to `end` have come. Returns those from `begin` on, the left channel.
    private func read(_ reader: SoundReader, _ begin: Int64, _ end: Int64) throws -> [Float] {
        var left: [Float] = []
        try reader.seek(to: begin)
        var next = begin
        while next < end {
            switch try reader.next() {
            case .block(let block):
                left += [Float](repeating: 0, count: Int(max(0, block.start - next))) + Samples.left(of: block.samples)
                next = block.end
            case .nothing: continue
            case .end: return left
            }
        }
        return left
    }

    /// A connection begins with the last three segments of a list.
    @Test(arguments: [[40], [8, 20, 44], [3, 4, 40]])
    func aListThatHasMovedOnIsHeardAtItsTime(places: [Int]) throws {
        let list = try List(seconds: 52)
        try list.show(from: 0)
        let deadline = Deadline()
        let reader = try SoundReader.open(SoundSource(list.address), deadline: deadline)
        for place in places {
            try list.show(from: place)
            // The middle of the list's third second.
            let wanted = Int64(place + 2 - 3) * 48_000 + 14_400
            let heard = try read(reader, wanted, wanted + 19_200)
            let level = Samples.amplitude(heard[..<19_200], 300 + 20 * (place + 2))
            expect(abs(level - 0.3), below: 0.05, "\(place): \(level)")
        }
    }

    private func format(_ parameters: UnsafePointer<AVCodecParameters>) -> SoundFormat {
        SoundFormat(
            parameters: parameters, timeBase: AVRational(num: 1, den: 90_000), origin: 0, seeking: .impossible,
            trackCount: 1, hasFrames: true, isMatroska: false, longestGap: .seconds(5), isLive: true,
            wrap: Time(1 << 33, ofUnits: 1, over: 90_000))
    }

    /// First timestamps after an absence, and where a frame with the last of them lies. All in seconds.
    @Test(
        arguments: [
            (0, [0], 0), (100, [90], 90), (100, [100.02], 100.02),
            // The list has moved on: a gap, up to the wanted place.
            (100, [3, 96], 96), (100, [3, 104], 104),
            // The timestamps began again, by a new sender or after 26.5 hours.
            (4000, [5], 4000), (100_000, [4556.28222], 100_000), (20, [95_463.6], 19.88222),
            // Another film in the same stream, while the sound is heard.
            (0, [0, 3600], 0.02), (1000, [1000, 3], 1000.02),
        ] as [(Double, [Double], Double)])
    func aLiveFrameIsPlacedNearTheWantedOne(wanted: Double, stamps: [Double], expected: Double) throws {
        var parameters = avcodec_parameters_alloc(), made = av_frame_alloc()
        defer {
            avcodec_parameters_free(&parameters)
            av_frame_free(&made)
        }
        var timeline = SoundTimeline(format(try #require(parameters.map { UnsafePointer($0) })))
        let frame = try #require(made)
        (frame.pointee.sample_rate, frame.pointee.nb_samples) = (48_000, 960)
        timeline.want(Time(seconds: wanted))
        var place: Time?
        for stamp in stamps {
            frame.pointee.best_effort_timestamp = Int64((stamp * 90_000).rounded())
            place = timeline.place(frame)
        }
        let seconds = try #require(place).seconds
        expect(abs(seconds - expected), below: 0.001, "\(seconds)")
    }

    @Test func aSourceThatSendsNothingIsOpenedAnewAfterGrowingWaits() {
        var stall = SoundStall()
        var opened: [Int64] = []
        for second in Int64(0)...200 where stall.noteDry(at: second * 1_000_000_000) { opened.append(second) }
        expect(opened, equals: [5, 15, 35, 75, 135, 195])
        stall.noteSamples()
        opened = []
        for second in Int64(200)...206 where stall.noteDry(at: second * 1_000_000_000) { opened.append(second) }
        expect(opened, equals: [205])
    }
}
