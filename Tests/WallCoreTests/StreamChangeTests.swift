import Testing
import WallCore

/// When a live source that still comes is taken for another stream.
@Suite struct StreamChangeTests {
    private static let frame = Time.milliseconds(40)

    /// Bytes come every 100 ms but in `silence`; answers when it is found out, in milliseconds.
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
        #expect(found(change, frames: 1000..<3000) == 4900)
        #expect(found(change, frames: 1000..<10_001) == nil)
    }

    @Test func seldomFramesAreWaitedForLonger() {
        #expect(found(StreamChange(.pushed, frame: .milliseconds(200)), frames: 0..<1000) == 4900)
    }

    /// The decoder waits for a key frame.
    @Test func theFirstFrameMayBeLate() {
        #expect(found(StreamChange(.pushed, frame: Self.frame), frames: 0..<0) == nil)
    }

    /// Another part of the program says what becomes of one that sends nothing.
    @Test func aSilentSenderIsNoOtherStream() {
        let change = StreamChange(.pushed, frame: Self.frame)
        #expect(found(change, frames: 0..<1000, silence: 1500..<10_000) == nil)
        // It is judged by what comes then.
        #expect(found(change, frames: 0..<1000, silence: 1500..<5000) == 7100)
    }

    @Test func filmsAndUnknownRatesAreNotWatched() {
        #expect(found(StreamChange(nil, frame: Self.frame), frames: 0..<1000) == nil)
        #expect(found(StreamChange(.pushed, frame: nil), frames: 0..<1000) == nil)
    }
}
