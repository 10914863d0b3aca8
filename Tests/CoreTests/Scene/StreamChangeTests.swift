import Base
import Expectations
import Opened
import Testing

/// Detection of a live source that has become another stream.
@Suite struct StreamChangeTests {
    private static let frame = Time.milliseconds(40)

    /// Feeds bytes every 100 ms except during `silence`. Returns when the change is detected, in milliseconds.
    private func found(
        _ change: StreamChange?, frames: Range<Int>, silence: Range<Int> = 0..<0, until end: Int = 10_000
    ) -> Int? {
        guard var change else { return nil }
        return stride(from: 0, through: end, by: 100).first { at in
            let now = Time.seconds(50) + .milliseconds(Int64(at))
            if frames.contains(at) { change.noteFrame(at: now) }
            let bytes = at - min(max(0, at - silence.lowerBound), silence.count)
            return change.note(bytes: Int64(bytes), at: now)
        }
    }

    @Test func twoSecondsWithoutAFrameAreTheEnd() {
        let change = StreamChange(.pushed, frame: Self.frame)
        expect(found(change, frames: 1000..<3000), equals: 4900)
        expect(found(change, frames: 1000..<10_001), equals: nil)
    }

    @Test func seldomFramesAreWaitedForLonger() {
        expect(found(StreamChange(.pushed, frame: .milliseconds(200)), frames: 0..<1000), equals: 4900)
    }

    /// The decoder waits for a key frame.
    @Test func theFirstFrameMayBeLate() {
        expect(found(StreamChange(.pushed, frame: Self.frame), frames: 0..<0), equals: nil)
    }

    /// Silence is not a change of stream. Timeouts handle it elsewhere.
    @Test func aSilentSenderIsNoOtherStream() {
        let change = StreamChange(.pushed, frame: Self.frame)
        expect(found(change, frames: 0..<1000, silence: 1500..<10_000), equals: nil)
        // The source is judged by the bytes that arrive afterwards.
        expect(found(change, frames: 0..<1000, silence: 1500..<5000), equals: 7100)
    }

    /// A decoder makes broken frames of another codec's packets.
    @Test func brokenFramesAloneAreAnotherStream() {
        func found(brokenFrom begin: Int, to end: Int) -> Int? {
            guard var change = StreamChange(.pushed, frame: Self.frame) else { return nil }
            return stride(from: 0, through: 20_000, by: 100).first { at in
                let now = Time.seconds(50) + .milliseconds(Int64(at))
                change.noteFrame((begin..<end).contains(at) ? .broken : .whole, at: now)
                return change.note(bytes: Int64(at), at: now)
            }
        }
        expect(found(brokenFrom: 1000, to: 20_001), equals: 7800)
        // A link that loses packets for a while.
        expect(found(brokenFrom: 1000, to: 5000), equals: nil)
    }

    /// The container states 25 frames a second, and one comes every 800 ms.
    @Test func theRealRateCounts() {
        guard var change = StreamChange(.pushed, frame: Self.frame) else { return }
        let detected = stride(from: 0, through: 20_000, by: 100).first { at in
            let now = Time.seconds(50) + .milliseconds(Int64(at))
            if at % 800 == 0, at < 8000 || at >= 10_400 { change.noteFrame(at: now) }
            return change.note(bytes: Int64(at), at: now)
        }
        expect(detected, equals: nil)
    }

    @Test func filmsAndUnknownRatesAreNotWatched() {
        expect(found(StreamChange(nil, frame: Self.frame), frames: 0..<1000), equals: nil)
        expect(found(StreamChange(.pushed, frame: nil), frames: 0..<1000), equals: nil)
    }
}
