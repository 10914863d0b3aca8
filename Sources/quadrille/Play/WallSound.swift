import Base
import Commands
import Console
import Engine
import Heard
import Layout
import Media
import Player
import Speaker
import Threads

/// The sound of a running wall: the sound scene goes to the director, its mix to the speaker.
///
/// Started after the wall, and stopped before it. With --no-audio there is no director and no speaker, and the wall
/// reports that its sound is not wanted.
final class WallSound: Sendable {
    private let runner: LockedWall
    private let parties = Locked(Parties())
    /// Lines to print once the wall is shown; nil from then on.
    private let unreported = Locked<[String]?>([])
    private let printLine: @Sendable (String) -> Void

    private struct Parties {
        var director: SoundDirector?
        var speaker: Speaker?
        var mixer: Mixer?
        var recorder: TakeRecorder?
    }

    /// The monitored microphone. Until the sound director's thread is joined, only that thread opens and closes it.
    private let monitor = Locked<(input: String?, stream: InputMonitor)?>(nil)

    /// `printLine` prints a line for the user; any thread may call it.
    init(_ runner: LockedWall, printLine: @escaping @Sendable (String) -> Void) {
        (self.runner, self.printLine) = (runner, printLine)
    }

    /// The window is open: troubles of the sound are printed at once from now on. For a wall that can't be shown, only
    /// the error of its window is printed.
    func wallIsShown() {
        unreported.locked { lines in
            lines?.forEach(printLine)
            lines = nil
        }
    }

    private func report(_ line: String) {
        unreported.locked { lines in
            if lines == nil { printLine(line) } else { lines?.append(line) }
        }
    }

    func start(_ layout: Layout, _ options: PlayOptions) {
        if options.wall.startsMuted { runner.change { wall, now in _ = wall.apply(.mute(.on, .wall), at: now) } }
        guard options.hasSound else { return runner.note(.outage(.switchedOff)) }
        do throws(KeptCalibration.Damage) { _ = try KeptCalibration.read() } catch { report("quadrille: \(error)") }
        let mixer = Mixer()
        let speaker = Speaker(title: layout.title, render: mixer.render, rewind: mixer.rewind) { [self] notice in
            switch notice {
            case .connected:
                AddressSpace.awaitSoundServer(false)
                runner.note(.outage(nil))
            case .outputAudible: runner.note(.outage(nil))
            case .outputMuted: runner.note(.outage(.sinkMuted))
            // The sound plays on the server's default output.
            case .noSuchOutput: break
            case .away(let reason):
                AddressSpace.awaitSoundServer(true)
                runner.note(.outage(.noServer))
                report("quadrille: no sound: the sound server: \(reason); quadrille keeps trying to connect")
            }
        }
        guard let speaker else {
            runner.note(.outage(.noServer))
            return report("quadrille: no sound: the system has no descriptor or thread left for it")
        }
        parties.locked { ($0.speaker, $0.mixer) = (speaker, mixer) }
        SoundInputs.use(record)
        let recorder = TakeRecorder(runner, speaker, into: TakesFolder(options.folders.takes)) { [self] in report($0) }
        parties.locked { $0.recorder = recorder }
        runner.listen { $0.takes = { recorder.wake() } }
        runner.change { wall, _ in wall.takesCanBeRecorded(isOffered: options.folders.takes != nil) }
        do throws(NoThread) {
            let director = try director(mixer, speaker)
            parties.locked { $0.director = director }
            runner.listen { $0.sound = { director.wake() } }
        } catch {
            runner.note(.outage(.noServer))
            report("quadrille: no sound: \(error)")
        }
    }

    /// Opens a sound input that the mix needs. Returns the function that closes it.
    @Sendable private func record(
        _ name: String, _ take: @escaping @Sendable (SoundInputs.Event) -> Void
    ) -> (@Sendable () -> Void)? {
        let input = SoundInput(
            name.isEmpty ? nil : name, take: { samples, place in take(.samples(samples, areMended: place.areMended)) },
            loss: { reason in take(.lost(reason)) })
        guard let input else { return nil }
        return { input.stop() }
    }

    private func director(_ mixer: Mixer, _ speaker: Speaker) throws(NoThread) -> SoundDirector {
        try SoundDirector(mixer: mixer) { [runner] in
            // `change`, not `read`: while only sound plays, no other change updates the features and reports the new
            // position to programs that observe it.
            runner.change { wall, now in wall.snapshot(at: now).soundScene() }
        } notice: { [self] notice in
            switch notice {
            case .title(let title): speaker.setTitle(title)
            case .prompt(let isPrompt): speaker.setPrompt(isPrompt)
            case .rest: speaker.setResting(true)
            case .wake: speaker.setResting(false)
            case .revised: speaker.revise()
            case .monitored(let monitored): follow(monitored)
            case .mended(let sound, let source): runner.note(.mendedSound(sound, of: source))
            case .conditions(let conditions): runner.note(.sounds(conditions))
            }
        }
    }

    private func follow(_ monitored: SoundScene.Monitored?) {
        let present = monitor.locked { $0 }
        if let present, let monitored, present.input == monitored.input {
            return present.stream.setGain(monitored.gain)
        }
        present?.stream.stop()
        monitor.locked { $0 = nil }
        // Posted, so that this comes after the notices of the stream before.
        runner.post { wall, now in wall.note(.monitored(.closed), at: now) }
        guard let monitored else { return }
        let stream = InputMonitor(monitored.input, gain: monitored.gain) { [self] notice in
            switch notice {
            case .changed(let state):
                if case .heard(let latency) = state {
                    let milliseconds = latency.ticks / Time.milliseconds(1).ticks
                    report("quadrille: the microphone is heard with a delay of \(milliseconds) ms")
                }
                runner.post { wall, now in wall.note(.monitored(state), at: now) }
            case .lost(let reason): report("quadrille: the microphone is not heard: \(reason)")
            }
        }
        guard let stream else {
            return report("quadrille: the microphone is not heard: the system has no thread for it")
        }
        monitor.locked { $0 = (monitored.input, stream) }
    }

    /// Longest time that the end waits for the sound's fade-out to be heard.
    private static let longestFadeOut = Time.milliseconds(300)

    /// Fades the sound out and stops all threads. Returns the names of those that did not end in time. The director is
    /// stopped before the speaker, which it calls.
    func stop() -> [String] {
        let ending = parties.locked { exchange(&$0, with: Parties()) }
        monitor.locked { $0 }?.stream.setGain(0)
        if let length = ending.mixer?.end() { ending.speaker?.playOut(length, within: Self.longestFadeOut) }
        runner.listen { ($0.sound, $0.takes) = (nil, nil) }
        SoundInputs.use(nil)
        let missing = (ending.recorder?.stop() ?? []) + (ending.director?.stop() ?? [])
        monitor.locked { $0 }?.stream.stop()
        monitor.locked { $0 = nil }
        ending.speaker?.stop()
        return missing
    }
}
