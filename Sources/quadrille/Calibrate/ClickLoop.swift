import Base
import Console
import Heard
import Measurement
import Speaker
import Threads

/// Plays clicks and listens to them, with the streams that the wall plays and records with. Measures the delay of the
/// devices beyond the latency that the streams report.
enum ClickLoop {
    /// Timeout in nanoseconds, longer than the clicks take.
    private static let patience: Int64 = 30_000_000_000

    /// Listens to the clicks, as long as they take. `output` and `input`: nil for the default ones.
    static func listen(
        output wantedOutput: String?, input wantedInput: String?, isEndRequested: () -> Bool
    ) throws(Failure) -> (Click.Verdict, Calibration.Pair) {
        let state = Locked(ClickRecording())
        let speaker = Speaker(title: "Quadrille", output: wantedOutput) { target, frames, heard, continuity in
            state.locked { $0.play(target, frames, heard, continuity) }
        } rewind: { _ in
            0
        } notice: { notice in
            let loss: String? =
                switch notice {
                case .away(let reason): "the sound server: \(reason)"
                case .outputMuted: "the output is muted"
                case .noSuchOutput: "the sound server has no output \(wantedOutput ?? "")"
                case .connected, .outputAudible: nil
                }
            state.change { state in
                if notice == .connected { state.isConnected = true }
                if let loss { state.loss = loss }
            }
        }
        // A server that starts with the first stream is not there at first.
        let recording = SoundInput(
            wantedInput, take: { samples, place in state.change { $0.take(samples, place) } },
            loss: { reason in state.change { if $0.isConnected { $0.loss = reason } } })
        defer {
            speaker?.stop()
            recording?.stop()
        }
        guard let speaker, let recording else {
            throw Failure("the system has no thread or descriptor left for the sound server")
        }
        let deadline = monotonicNanoseconds() + Self.patience
        while !isEndRequested() {
            let next = min(deadline, monotonicNanoseconds() + 100_000_000)
            let isOver = state.wait(by: next) { $0.isComplete || $0.loss != nil ? true : nil }
            if isOver != nil || monotonicNanoseconds() >= deadline { break }
        }
        let end = state.locked { $0 }
        if let loss = end.loss { throw Failure(loss) }
        guard end.isComplete, let output = speaker.device, let input = recording.device else {
            throw Failure("the sound server neither plays nor records")
        }
        // Some servers use another device if they don't know the name.
        for (wanted, used) in [(wantedOutput, output), (wantedInput, input)] {
            if let wanted, wanted != used, !wanted.hasPrefix("@"), Int(wanted) == nil {
                throw Failure("the sound server has no \(wanted), and took \(used) instead")
            }
        }
        return (end.verdict, Calibration.Pair(output: output, input: input))
    }
}

/// The clicks that were played so far, and the recording of the microphone.
private struct ClickRecording {
    /// Number of samples that were played.
    var played: Int64 = 0
    /// Time at which each click is heard, as the sound server reports it.
    var clicks: [Time] = []
    /// Recorded samples, mono.
    var heard: [Float] = []
    /// Index in `heard` and time of the blocks that the stream has placed.
    var placed: [(sample: Int, at: Time)] = []
    var stream: Int?
    var loss: String?
    /// True once the server has answered.
    var isConnected = false

    mutating func play(
        _ target: UnsafeMutablePointer<Float>, _ frames: Int, _ heard: Time, _ continuity: StreamContinuity
    ) {
        target.update(repeating: 0, count: frames * 2)
        let due = played..<played + Int64(frames)
        for first in Self.starts {
            if due.contains(first) { clicks.append(heard + SoundGrid.time(of: first - played)) }
            for sample in due.clamped(to: first..<first + Int64(Click.length)) {
                let value = Click.samples[Int(sample - first)], place = Int(sample - played) * 2
                (target[place], target[place + 1]) = (value, value)
            }
        }
        played = due.upperBound
    }

    /// First sample of each click, counted from the first that is played.
    private static let starts = (1..<Click.count).reduce(into: [Int64(SoundGrid.rate) * 2]) { starts, number in
        starts.append(starts[number - 1] + Int64(Click.pause(after: number - 1)))
    }

    mutating func take(_ samples: UnsafeBufferPointer<Float>, _ place: SoundInput.Place) {
        if stream != place.stream { (stream, heard, placed) = (place.stream, [], []) }
        if let at = place.heardAt { placed.append((heard.count, at)) }
        for index in 0..<samples.count / 2 { heard.append((samples[index * 2] + samples[index * 2 + 1]) / 2) }
    }

    /// True if all samples are recorded in which the last click can be.
    var isComplete: Bool {
        guard clicks.count == Click.count, let last = clicks.last, let place = place(of: last) else { return false }
        return heard.count >= place + Click.searchAfter + Click.length
    }

    /// Returns the index of the sample that was heard at `time`. nil until a block is placed.
    private func place(of time: Time) -> Int? {
        guard let block = placed.last(where: { $0.at <= time }) ?? placed.first else { return nil }
        return block.sample + Int(clamping: SoundGrid.sample(at: time - block.at))
    }

    var verdict: Click.Verdict {
        var matches: [Click.Match?] = []
        var lags: [Int?] = []
        for click in clicks {
            guard let place = place(of: click) else { continue }
            let begin = max(0, place - Click.searchBefore),
                end = min(heard.count, place + Click.searchAfter + Click.length)
            let match = begin < end ? Click.match(in: Array(heard[begin..<end])) : nil
            matches.append(match)
            lags.append(match.map { begin + $0.place - place })
        }
        return Click.verdict(matches, lags: lags)
    }
}
