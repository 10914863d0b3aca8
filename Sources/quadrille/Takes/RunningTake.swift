import Base
import Console
import Heard
import Measurement
import Media
import Player
import Threads

/// One session of the recorder, from the opening of its microphone to its last file. Used only by the recorder's
/// thread.
final class RunningTake {
    private(set) var session: TakeSession
    let input: any TakeInput
    private let recorder: TakeRecorder
    private let calibration = KeptCalibration.known
    private var unplaced = UnplacedBlocks()
    private var paced = PacedInput()
    private var sung = SungSamples()
    /// Time from an instant in the song to the arrival of its sample in the program.
    private var lag = Time.zero
    private var files: TakeFiles
    /// Reason for the present silence; nil while samples come.
    private var loss: String?
    private var hasReportedMonitor = false
    private var hasReportedMending = false

    /// Time that the last samples may take to arrive.
    private static let patience = Time.seconds(1)

    init(_ session: TakeSession, _ input: any TakeInput, _ recorder: TakeRecorder) {
        (self.session, self.input, self.recorder) = (session, input, recorder)
        files = TakeFiles(session, recorder)
    }

    /// Delay of the recorded sound after its instant on the clock. A tile's own sound is taken before it is delayed.
    private var delay: Time { session.source == .ownSound ? .zero : session.delay }

    /// Time at which the session is over even if samples are missing, on CLOCK_MONOTONIC; nil while the session goes
    /// on.
    var deadline: Int64? { session.endsAt.map { ($0 + Self.patience).nanoseconds } }

    /// True if all samples from before the session's end have arrived, or are no longer awaited.
    func isOver(_ session: TakeSession) -> Bool {
        self.session = session
        guard let end = session.endsAt else { return files.hasFailed }
        return files.hasFailed || sung.isCut(to: end) || Time.now >= end + Self.patience
    }

    func lose(_ reason: String) {
        end()
        unplaced.stream = nil
        takeFrames()
        files.frames.forget()
        if loss != reason { recorder.printLine("quadrille: nothing is recorded: \(reason)") }
        loss = reason
    }

    /// `known`: time until which the session's history is complete.
    func record(_ block: TakeRecorder.Block, _ session: TakeSession, known: Time) {
        self.session = session
        if files.hasFailed { return }
        takeFrames()
        loss = nil
        // The microphone sent samples that were no numbers or absurd.
        if block.place.areMended, !hasReportedMending {
            hasReportedMending = true
            let name = input.device ?? "the microphone"
            recorder.printLine("quadrille: \(name): \(FilmDamage.wrongSamples.trouble.what)")
        }
        if unplaced.stream != block.place.stream {
            end()
            unplaced = UnplacedBlocks(stream: block.place.stream)
            paced = PacedInput()
        }
        guard let (blocks, heardAt) = unplaced.add(block) else { return }
        var place = heardAt
        for block in blocks {
            let end = place + block.length
            // Sound recorded from an output's monitor arrives before it is heard.
            lag = max(.zero, block.cameAt - end + delay + (sung.calibratedLatency ?? .zero))
            block.samples.withUnsafeBufferPointer { add($0, heardAt: place) }
            place = end
        }
        cut(before: known)
    }

    /// Writes everything that has arrived into the files.
    func end() {
        cut(before: .distantFuture)
        finish()
    }

    private func takeFrames() {
        guard session.hasFrames else { return }
        files.frames.add(recorder.runner.change { [session] wall, _ in wall.takeRecordedFrames(session.number) })
    }

    private func add(_ samples: UnsafeBufferPointer<Float>, heardAt: Time) {
        let chunk = paced.take(samples, heardAt: heardAt, files.isRecording ? .slowly : .atOnce)
        let isOwn = session.source == .ownSound
        let latency = isOwn ? nil : calibration.lateness(output: recorder.speaker.device, input: input.device)
        if chunk.isAnew || sung.calibratedLatency != latency || sung.delay != delay {
            cut(before: .distantFuture)
            if chunk.isAnew { finish() }
            (sung.calibratedLatency, sung.delay) = (latency, delay)
        }
        sung.add(chunk)
    }

    /// Writes what was sung before `known` into the files.
    private func cut(before known: Time) {
        guard !files.hasFailed, let (samples, steps) = sung.cut(before: known, session) else { return }
        for step in steps {
            if files.hasFailed { return }
            switch step {
            case .begin(let place): begin(at: place)
            case .write(let range): files.write(samples[(range.lowerBound * 2)..<(range.upperBound * 2)])
            case .end: files.close()
            }
        }
    }

    private func begin(at place: SongPlan.Place) {
        if session.source == .microphone(nil), !hasReportedMonitor, input.device?.hasSuffix(".monitor") == true {
            hasReportedMonitor = true
            recorder.printLine(
                "quadrille: no microphone found: recording an output's sound; audio.input names a microphone")
        }
        files.begin(
            TakeNote(
                tile: session.name, source: place.run.source, item: place.run.id.item, start: place.media,
                latency: lag, calibrated: sung.calibratedLatency, rate: place.rate, key: place.run.key,
                date: SystemTime.text(SystemTime.nanoseconds), input: input.device, output: recorder.speaker.device))
    }

    private func finish() { for step in sung.end() where step == .end { files.close() } }
}

/// Samples that were received and are in no file yet. Their place in the song is known when the session's history has
/// reached the time at which they were sung. Used only by the recorder's thread.
struct SungSamples {
    private var cutter = TakeCutter()
    private var samples: [Float] = []
    /// Wall time of the first sample, less delay and latency.
    private var start = Time.zero
    /// End of the samples that were cut, in the same time.
    private var cutTo = Time.zero
    /// Calibrated latency of output and input, for the samples that are added next; nil if they were not calibrated.
    var calibratedLatency: Time?
    /// Delay of the sound against the clock, for the samples that are added next; nil until it is known.
    var delay: Time?

    mutating func add(_ chunk: PacedInput.Chunk) {
        if samples.isEmpty { start = chunk.heardAt - (delay ?? .zero) - (calibratedLatency ?? .zero) }
        samples += chunk.samples
    }

    /// True if all samples that were heard before `end` are cut.
    func isCut(to end: Time) -> Bool { cutTo + (delay ?? .zero) >= end }

    /// Takes out the samples that were sung before `known`, with the steps that write them; nil if there are none.
    mutating func cut(
        before known: Time, _ session: TakeSession
    ) -> (samples: ArraySlice<Float>, steps: [TakeCutter.Step])? {
        let (sung, delay) = (start, delay ?? .zero)
        let count = min(samples.count / 2, Int(clamping: SoundGrid.sample(at: known - sung - delay)))
        guard count > 0 else { return nil }
        let due = samples[..<(count * 2)]
        cutTo = sung + SoundGrid.time(of: Int64(count))
        (samples, start) = (Array(samples[(count * 2)...]), cutTo)
        return (due, cutter.cut(count, from: sung, delay: delay, by: session.history, until: session.endsAt))
    }

    /// Returns the steps that end the file.
    mutating func end() -> [TakeCutter.Step] { cutter.end() }
}

/// Blocks of one stream whose place in time is not measured yet. Used only by the recorder's thread.
struct UnplacedBlocks {
    /// Number of the stream; nil if the next block begins one.
    var stream: Int?
    private(set) var blocks: [TakeRecorder.Block] = []

    /// In blocks of about 50 ms.
    private static let most = 100

    /// Adds a block. Returns all blocks if it has a place, and the time at which the first of them was heard; else nil.
    mutating func add(_ block: TakeRecorder.Block) -> (blocks: [TakeRecorder.Block], heardAt: Time)? {
        blocks.append(block)
        guard var place = block.place.heardAt else {
            if blocks.count > Self.most { blocks.removeFirst() }
            return nil
        }
        for before in blocks.dropLast() { place -= before.length }
        defer { blocks = [] }
        return (blocks, place)
    }
}

/// The level of the microphone of a recording, as often as a change of it can be seen. Used only by the recorder's
/// thread.
struct TakeMeter {
    private var shown: InputLevel?
    private var nextReport: Int64 = 0

    /// Time after which an unchanged level is reported again, in nanoseconds.
    private static let interval: Int64 = 500_000_000

    /// Returns the greatest sample of the blocks; nil if the wall need not know it.
    mutating func peak(of blocks: [TakeRecorder.Block]) -> Float? {
        if blocks.isEmpty { return nil }
        let peak = blocks.reduce(Float(0)) { peak, block in
            block.samples.reduce(peak) { $1.isFinite ? max($0, $1.magnitude) : $0 }
        }
        let level = InputLevel(peak: peak), now = monotonicNanoseconds()
        guard level != shown || now >= nextReport else { return nil }
        (shown, nextReport) = (level, now + Self.interval)
        return peak
    }
}
