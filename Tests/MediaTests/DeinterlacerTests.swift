import CFFmpeg
import Expectations
import Foundation
import Testing

@testable import Base
@testable import Media

@Suite struct DeinterlacerTests {
    private static let count = 24

    /// An interlaced clip, upper field first, with B-frames and several key frames.
    private static func interlaced(_ folder: Folder) throws -> String {
        try folder.ffmpeg([
            "-f", "lavfi", "-i",
            "testsrc2=s=128x72:r=50,format=yuv420p,tinterlace=interleave_top,setparams=field_mode=tff",
            "-frames:v", "\(count)", "-c:v", "libx264", "-preset", "veryfast", "-qp", "4", "-bf", "2", "-g", "9",
            "-flags", "+ilme+ildct", "-x264-params", "tff=1", "i.mp4",
        ])
        return folder.file("i.mp4")
    }

    private struct Seen: Equatable {
        let start: Time
        let length: Time
        let luma: [UInt8]
    }

    private func seen(_ frame: TimedCodecFrame) -> Seen {
        let (av, size) = (frame.codecFrame.av, frame.codecFrame.storage)
        let stride = Int(qd_stride(av, 0))
        let luma = (0..<size.height).flatMap { y in
            Array(UnsafeBufferPointer(start: qd_plane(av, 0)! + y * stride, count: size.width))
        }
        return Seen(start: frame.start, length: frame.length, luma: luma)
    }

    private func all(
        _ source: Source, _ decoder: Decoder, from: Time = .zero, until: Time? = nil
    ) throws -> [Seen] {
        let reader = FrameReader(source: source, decoder: decoder, from: from, until: until)
        var result: [Seen] = []
        while case .frame(let frame) = try reader.next() { result.append(seen(frame)) }
        reader.leave()
        return result
    }

    /// Difference of neighbouring rows, which combing makes large.
    private func combs(_ seen: Seen) -> Int {
        (0..<71).reduce(0) { sum, y in
            sum + (0..<128).reduce(0) { $0 + abs(Int(seen.luma[y * 128 + $1]) - Int(seen.luma[(y + 1) * 128 + $1])) }
        }
    }

    @Test func everyFrameComesOutOnceInItsPlace() throws {
        let folder = try Folder(), file = try Self.interlaced(folder)
        let (plainSource, plain) = try open(file)
        let before = try all(plainSource, plain)
        for mode in [Deinterlacing.all, .marked] {
            let (source, decoder) = try open(file)
            try decoder.deinterlace(mode)
            let after = try all(source, decoder)
            expect(after.count == Self.count && after.map(\.start) == before.map(\.start))
            expect(after.map(\.length), equals: before.map(\.length))
            let (old, new) = (before.reduce(0) { $0 + combs($1) }, after.reduce(0) { $0 + combs($1) })
            expect(Double(new), below: Double(old) * 0.9, "\(old) \(new)")
            // A second run through the same decoder returns the same frames.
            try expect(all(source, decoder), equals: after)
        }
    }

    @Test func afterASeekAFrameIsAsItIsInItsPlace() throws {
        let folder = try Folder(), file = try Self.interlaced(folder)
        let (source, decoder) = try open(file)
        try decoder.deinterlace(.all)
        let whole = try all(source, decoder)
        for place in [18, 9, 5, 17, 23, 1, 10, 22] {
            let until = place + 2 < whole.count ? whole[place + 2].start : nil
            let part = try all(source, decoder, from: whole[place].start, until: until)
            expect(part.first?.start, equals: whole[place].start, "\(place)")
            expect(part, equals: Array(whole[place..<min(place + 2, whole.count)]), "\(place)")
        }
    }

    @Test func onlyWhatIsMarkedIsDeinterlacedUnlessAllIsWanted() throws {
        let folder = try Folder()
        let file = try folder.numbered("p.mp4", frames: 12, Folder.longGroup)
        let (source, decoder) = try open(file)
        let plain = try all(source, decoder)
        try decoder.deinterlace(.marked)
        try expect(all(source, decoder), equals: plain)
        expect(!decoder.needsNeighbours)
        try decoder.deinterlace(.all)
        try expect(all(source, decoder).map(\.start), equals: plain.map(\.start))
        try decoder.deinterlace(.off)
        try expect(all(source, decoder), equals: plain)
    }

    @Test func framesSayTheirFields() throws {
        let folder = try Folder()
        let (source, decoder) = try open(try Self.interlaced(folder))
        func first() throws -> CodedTraits? {
            let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
            guard case .frame(let frame) = try reader.next() else { return nil }
            return frame.codecFrame.codedTraits
        }
        // FFmpeg 5's libx264 sets the field order by a flag of its own.
        let plain = try #require(try first())
        expect(plain.fields != .progressive && !plain.isDeinterlaced)
        expect(plain.words, equals: "BT.601 (assumed), \(plain.fields.words ?? "")")
        try decoder.deinterlace(.marked)
        try expect(first()?.words, equals: plain.words + ", deinterlaced")
    }
}
