import Expectations
import Testing

@testable import Base
@testable import Media

private let pal = FrameRate(25, 1)

/// A reader that decodes frames later than they are due.
@Suite struct CatchingUpTests {
    private struct Seen {
        var number: Int
        var start: Time
        var end: Time
    }

    /// Plays a clip of 200 frames; when frame 20 is decoded, frame 120 is due.
    private func catchUp(_ name: String, _ arguments: [String]) throws -> (seen: [Seen], end: Time) {
        let folder = try Folder()
        let source = try Source.open(
            try folder.numbered(name, frames: 200, arguments), deadline: Deadline())
        let reader = FrameReader(
            source: source, decoder: try Decoder(for: source, threads: 1), from: .zero, until: nil)
        var seen: [Seen] = []
        while true {
            switch try reader.next() {
            case .frame(let frame):
                let number = try number(of: frame.codecFrame)
                seen.append(Seen(number: number, start: frame.start, end: frame.start + frame.length))
                if number == 20 { reader.skip(to: time(120)) }
            case .end(let end): return (seen, end)
            case .abandoned: Issue.record("nobody abandoned it")
            }
        }
    }

    private func time(_ frame: Int) -> Time { Time(Int64(frame), ofUnits: 1, over: 25) }

    @Test func whatIsOverAndNobodyBuildsOnIsLeftOutAndTheRestIsWhole() throws {
        let (seen, end) = try catchUp("long.mp4", Folder.longGroup)
        expect(seen.allSatisfy { $0.start == time($0.number) })
        expect(zip(seen, seen.dropFirst()).allSatisfy { $0.end == $1.start })
        let between = seen.count { (22..<119).contains($0.number) }
        expect(between, below: 60)
        expect(seen.map(\.number).filter { $0 >= 120 }, equals: Array(120..<200))
        expect(end, equals: time(200))
    }

    @Test func aKeyFrameOnTheWayIsLeaptTo() throws {
        let (seen, end) = try catchUp("short.mp4", Folder.x264 + ["-g", "25", "-bf", "3", "-sc_threshold", "0"])
        expect(seen.map(\.number), equals: Array(0...20) + Array(120..<200))
        expect(seen.allSatisfy { $0.start == time($0.number) })
        expect(end, equals: time(200))
    }

    @Test func whereNothingCanBeLeftOutAllComes() throws {
        let (seen, end) = try catchUp("vp9.webm", Folder.vp9 + ["-g", "250"])
        expect(seen.map(\.number), equals: Array(0..<200))
        expect(end, equals: time(200))
    }
}
