import Media
import Speaker
import Threads
import WallCore

/// The sound of a running wall: the sound scene goes to the director, its mix to the speaker.
///
/// Begun when the wall is there, ended before it is. With --no-audio there is no director and no speaker, and
/// whoever hears nothing is told so.
final class Sounding: Sendable {
    private let parties = Monitor<Parties?>(nil)
    /// What is to be said once the wall is shown; nil: it is.
    private let unsaid = Monitor<[String]?>([])
    private let say: @Sendable (String) -> Void

    private struct Parties {
        var runner: WallRunner
        var director: SoundDirector?
        var speaker: Speaker?
    }

    /// `say` says a line to the user; any thread may call it.
    init(say: @escaping @Sendable (String) -> Void) { self.say = say }

    /// The window is there: from now on troubles of the sound are said when they come. A wall that can't be shown has a
    /// better reason to give.
    func wallIsShown() {
        unsaid.locked { lines in
            lines?.forEach(say)
            lines = nil
        }
    }

    private func tell(_ line: String) {
        unsaid.locked { lines in
            if lines == nil { say(line) } else { lines?.append(line) }
        }
    }

    func start(_ layout: Layout, _ options: PlayOptions, _ runner: WallRunner) {
        let startsMuted = options.wall.startsMuted
        runner.change { wall, now in if startsMuted { wall.carryOut(.mute(.on, .wall), at: now) } }
        guard options.opensSound else {
            runner.change { wall, _ in wall.outlet(is: .unwanted) }
            return parties.locked { $0 = Parties(runner: runner) }
        }
        let mixer = Mixer()
        let speaker = Speaker(title: layout.title) { target, frames, heard, continuity in
            mixer.render(to: target, frames: frames, heard: heard, continuity == .broken ? .broken : .unbroken)
        } rewind: { frames in
            mixer.rewind(frames)
        } notice: { [self] notice in
            switch notice {
            case .connected: runner.change { wall, _ in wall.outlet(is: .open) }
            case .outputAudible: runner.change { wall, _ in wall.outlet(is: .open) }
            case .outputMuted: runner.change { wall, _ in wall.outlet(is: .muted) }
            case .away(let reason):
                runner.change { wall, _ in wall.outlet(is: .away) }
                tell("quadrille: no sound: the sound server: \(reason); quadrille keeps looking for it")
            }
        }
        guard let speaker else {
            runner.change { wall, _ in wall.outlet(is: .away) }
            tell("quadrille: no sound: the system has no descriptor or thread left for it")
            return parties.locked { $0 = Parties(runner: runner) }
        }
        parties.locked { $0 = Parties(runner: runner, speaker: speaker) }
        SoundInputs.use(record)
        do throws(NoThread) {
            let director = try director(mixer, speaker, runner)
            parties.locked { $0?.director = director }
            runner.onSoundChange { director.wake() }
        } catch {
            runner.change { wall, _ in wall.outlet(is: .away) }
            tell("quadrille: no sound: \(error)")
        }
    }

    /// A sound input that somebody hears; what is answered ends it.
    @Sendable private func record(
        _ name: String, _ take: @escaping @Sendable (SoundInputs.Event) -> Void
    ) -> (@Sendable () -> Void)? {
        let input = SoundInput(
            name.isEmpty ? nil : name, take: { samples in take(.samples(samples)) },
            loss: { reason in take(.lost(reason)) })
        guard let input else { return nil }
        return { input.stop() }
    }

    private func director(
        _ mixer: Mixer, _ speaker: Speaker, _ runner: WallRunner
    ) throws(NoThread) -> SoundDirector {
        try SoundDirector(mixer: mixer) {
            runner.change { wall, now in wall.soundScene(at: now) }
        } notice: { notice in
            switch notice {
            case .title(let title): speaker.setTitle(title)
            case .prompt(let isPrompt): speaker.setPrompt(isPrompt)
            case .rest: speaker.rest()
            case .wake: speaker.wake()
            case .revised: speaker.revise()
            case .conditions(let conditions): runner.change { wall, now in wall.note(conditions, at: now) }
            }
        }
    }

    /// Names the threads that are not back in time. The director's calls reach the speaker: it ends first.
    func stop() -> [String] {
        guard
            let ending = parties.locked({ parties -> Parties? in
                defer { parties = nil }
                return parties
            })
        else { return [] }
        ending.runner.onSoundChange(nil)
        SoundInputs.use(nil)
        let isBack = ending.director?.stop() != .stillRunning
        ending.speaker?.stop()
        return isBack ? [] : ["sound director"]
    }
}
