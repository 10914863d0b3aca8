import Base
import Commands
import Console
import Engine
import Measurement
import Media
import Player
import Scene
import Speaker
import Threads

/// One session of the recorder, from the opening of its microphone to its last file. Used only by the recorder's
/// thread.
final class RunningTake {
    private(set) var session: TakeSession
    let input: SoundInput
    private let speaker: Speaker
    private let folder: TakesFolder
    private let runner: WallRunner
    private let printLine: @Sendable (String) -> Void
    private let calibration = KeptCalibration.known
    /// Calibrated latency of output and input; nil if they were not calibrated.
    private var late: Time?
    /// Delay of the sound against the clock, for the samples put into `held` last.
    private var delay: Time?
    /// Time from an instant in the song to the arrival of its sample in the program.
    private var lag = Time.zero
    /// Name of the microphone that was asked for; nil if it is the server's default.
    let inputName: String?
    private var cutter = TakeCutter()
    private var paced = PacedInput()
    private var stream: Int?
    /// Blocks received before the stream's place in time was measured.
    private var unplaced: [TakeRecorder.Block] = []
    /// Samples received and not yet cut: the place in the song that they belong to is not known until they are heard.
    private var held: (samples: [Float], sung: Time) = ([], .zero)
    private var file: (file: TakeFile, path: String)?
    private var frames: TakeFrames
    /// Samples of a file that is too short to be written yet.
    private var unbegun: (note: TakeNote, samples: [Float])?
    private var hasFailed = false
    private var reportedLoss: String?
    private var hasReportedMonitor = false
    /// End of what was recorded: wall time less delay and latency.
    private var recordedTo = Time.zero

    /// In blocks of about 50 ms.
    private static let mostUnplaced = 100
    private static let patience = Time.seconds(1)
    /// In samples; a shorter recording is not written.
    private static let shortest = 4800

    init(
        _ session: TakeSession, _ input: SoundInput, _ speaker: Speaker, _ folder: TakesFolder, _ runner: WallRunner,
        printLine: @escaping @Sendable (String) -> Void
    ) {
        (self.session, self.input, self.speaker) = (session, input, speaker)
        (self.folder, self.runner, self.printLine) = (folder, runner, printLine)
        inputName = session.input
        frames = TakeFrames(printLine: printLine)
    }

    /// Time at which the session is over even if samples are missing, on CLOCK_MONOTONIC; nil while the session goes
    /// on.
    var deadline: Int64? { session.endsAt.map { ($0 + Self.patience).nanoseconds } }

    /// True if all that was sung before the end of the session has arrived, or will not.
    func isOver(_ session: TakeSession) -> Bool {
        self.session = session
        guard let end = session.endsAt else { return hasFailed }
        return hasFailed || recordedTo + (delay ?? .zero) >= end || Time.now >= end + Self.patience
    }

    func lose(_ reason: String) {
        end()
        stream = nil
        takeFrames()
        frames.forget()
        if reportedLoss != reason { printLine("quadrille: nothing is recorded: \(reason)") }
        reportedLoss = reason
    }

    /// `known`: time until which the session's history is complete.
    func record(_ block: TakeRecorder.Block, _ session: TakeSession, known: Time) {
        self.session = session
        if hasFailed { return }
        takeFrames()
        reportedLoss = nil
        if stream != block.place.stream {
            end()
            (stream, paced, unplaced) = (block.place.stream, PacedInput(), [])
        }
        unplaced.append(block)
        guard let heardAt = block.place.heardAt else {
            if unplaced.count > Self.mostUnplaced { unplaced.removeFirst() }
            return
        }
        // The blocks before this one are placed by it.
        var place = heardAt
        for before in unplaced.dropLast() { place -= SoundGrid.time(of: Int64(before.samples.count / 2)) }
        for block in unplaced {
            let end = place + SoundGrid.time(of: Int64(block.samples.count / 2))
            // Sound recorded from an output's monitor arrives before it is heard.
            lag = max(.zero, block.cameAt - end + session.delay + (late ?? .zero))
            block.samples.withUnsafeBufferPointer { add($0, heardAt: place) }
            place = end
        }
        unplaced = []
        cut(before: known)
    }

    /// Writes everything that has arrived into the files.
    func end() {
        cut(before: .distantFuture)
        finish()
    }

    private func takeFrames() {
        guard session.hasFrames else { return }
        frames.add(runner.change { [session] wall, _ in wall.takeRecordedFrames(session.number) })
    }

    private func add(_ samples: UnsafeBufferPointer<Float>, heardAt: Time) {
        let stretch = paced.take(samples, heardAt: heardAt, file == nil && unbegun == nil ? .atOnce : .slowly)
        let lateness = calibration.lateness(output: speaker.device, input: input.device)
        if stretch.isAnew || lateness != late || session.delay != delay {
            cut(before: .distantFuture)
            if stretch.isAnew { finish() }
            (late, delay) = (lateness, session.delay)
        }
        if held.samples.isEmpty { held.sung = stretch.heardAt - session.delay - (late ?? .zero) }
        held.samples += stretch.samples
    }

    /// Writes what was sung before `known` into the files.
    private func cut(before known: Time) {
        let (sung, delay) = (held.sung, delay ?? .zero)
        let count = min(held.samples.count / 2, Int(clamping: SoundGrid.sample(at: known - sung - delay)))
        guard count > 0, !hasFailed else { return }
        let samples = held.samples[..<(count * 2)]
        recordedTo = sung + SoundGrid.time(of: Int64(count))
        held = (Array(held.samples[(count * 2)...]), recordedTo)
        for step in cutter.cut(count, from: sung, delay: delay, by: session.history, until: session.endsAt) {
            if hasFailed { return }
            switch step {
            case .begin(let beginning): begin(beginning)
            case .write(let range): write(samples[(range.lowerBound * 2)..<(range.upperBound * 2)])
            case .end: closeFile()
            }
        }
    }

    // MARK: files

    private func begin(_ beginning: TakeCutter.Beginning) {
        if inputName == nil, !hasReportedMonitor, input.device?.hasSuffix(".monitor") == true {
            hasReportedMonitor = true
            printLine("quadrille: no microphone found: recording an output's sound; audio.input names a microphone")
        }
        let note = TakeNote(
            tile: session.name, source: beginning.run.source, item: beginning.run.item, start: beginning.start,
            latency: lag, calibrated: late, rate: beginning.rate, key: beginning.run.key,
            date: SystemTime.text(SystemTime.nanoseconds), input: input.device, output: speaker.device)
        unbegun = (note, [])
    }

    private func write(_ samples: ArraySlice<Float>) {
        if var begun = unbegun {
            begun.samples += samples
            unbegun = begun
            if begun.samples.count >= Self.shortest * 2 { open(begun.note, begun.samples) }
            return
        }
        guard let open = file else { return }
        do throws(FilmTrouble) { try open.file.write(samples) } catch {
            file = nil
            return fail(error, open.path, kept: open.file.wholeLength)
        }
        frames.write(samples, length: open.file.length)
    }

    private func open(_ note: TakeNote, _ samples: [Float]) {
        unbegun = nil
        do throws(FilmTrouble) {
            let made = try folder.begin(note, on: session.name)
            file = made
            frames.begin(beside: TakesFolder.film(beside: made.path), at: note.start)
            emit(made.path, item: note.item, .started(start: note.start, source: note.source))
        } catch {
            return fail(error, "")
        }
        write(samples[...])
    }

    private func finish() {
        for step in cutter.end() where step == .end { closeFile() }
    }

    private func closeFile() {
        unbegun = nil
        guard let open = file else { return }
        file = nil
        frames.end()
        do throws(FilmTrouble) {
            try open.file.finish()
            emit(open.path, .ended(open.file.length))
        } catch {
            fail(error, open.path, kept: open.file.wholeLength)
        }
    }

    /// Ends the recording; the wall plays on. `kept`: length of the file that was written.
    private func fail(_ trouble: FilmTrouble, _ path: String, kept: Time = .zero) {
        hasFailed = true
        frames.end()
        printLine("quadrille: the recording has stopped: \(trouble.what)")
        emit(path, .failed(trouble.what, kept: kept))
        runner.change { wall, now in _ = wall.carryOut(.record(.off), at: now) }
    }

    private func emit(_ path: String, item: Int = 0, _ state: Event.TakeState) {
        let session = session
        runner.change { wall, now in wall.take(path, of: session, item: item, state, at: now) }
    }
}
