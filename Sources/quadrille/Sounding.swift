import Media
import Speaker
import Threads
import WallCore

/// The sound of a running wall: the score goes to the orchestra, its mix to the speaker.
///
/// Begun when the wall is there, ended before it is. With --no-audio there is no orchestra and no speaker, and
/// whoever hears nothing is told so.
final class Sounding: Sendable {
    private let parties = Monitor<Parties?>(nil)
    /// What is to be said once the wall is shown; nil: it is.
    private let unsaid = Monitor<[String]?>([])
    private let say: @Sendable (String) -> Void

    private struct Parties {
        var keeper: Keeper
        var orchestra: Orchestra?
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

    func start(_ layout: Layout, _ options: PlayOptions, _ keeper: Keeper) {
        let startsMuted = options.startsMuted
        keeper.change { wall, _ in if startsMuted { wall.silence() } }
        guard options.opensSound else {
            keeper.change { wall, _ in wall.outlet(is: .unwanted) }
            return parties.locked { $0 = Parties(keeper: keeper) }
        }
        let mixer = Mixer()
        let speaker = Speaker(title: layout.title) { target, frames, heard, continuity in
            mixer.render(to: target, frames: frames, heard: heard, continuity == .broken ? .broken : .unbroken)
        } rewind: { frames in
            mixer.rewind(frames)
        } notice: { [self] notice in
            switch notice {
            case .connected: keeper.change { wall, _ in wall.outlet(is: .open) }
            case .outputAudible: keeper.change { wall, _ in wall.outlet(is: .open) }
            case .outputMuted: keeper.change { wall, _ in wall.outlet(is: .muted) }
            case .away(let reason):
                keeper.change { wall, _ in wall.outlet(is: .away) }
                tell("quadrille: no sound: the sound server: \(reason); quadrille keeps looking for it")
            }
        }
        guard let speaker else {
            keeper.change { wall, _ in wall.outlet(is: .away) }
            tell("quadrille: no sound: the system has no descriptor or thread left for it")
            return parties.locked { $0 = Parties(keeper: keeper) }
        }
        parties.locked { $0 = Parties(keeper: keeper, speaker: speaker) }
        do throws(NoThread) {
            let orchestra = try orchestra(of: layout, mixer, speaker, keeper)
            parties.locked { $0?.orchestra = orchestra }
        } catch {
            keeper.change { wall, _ in wall.outlet(is: .away) }
            tell("quadrille: no sound: \(error)")
        }
    }

    private func orchestra(
        of layout: Layout, _ mixer: Mixer, _ speaker: Speaker, _ keeper: Keeper
    ) throws(NoThread) -> Orchestra {
        try Orchestra(mixer: mixer, delay: .milliseconds(Int64(layout.audio.delayMilliseconds))) {
            keeper.change { wall, now in wall.score(at: now) }
        } notice: { notice in
            switch notice {
            case .title(let title): speaker.setTitle(title)
            case .rest: speaker.rest()
            case .wake: speaker.wake()
            case .revised: speaker.revise()
            case .conditions(let conditions): keeper.change { wall, now in wall.note(conditions, at: now) }
            }
        }
    }

    /// What happened on the wall may change what is heard. Called with the wall locked.
    func note(_ events: [Event]) {
        let concerns = events.contains { event in
            switch event.what {
            case .clock, .focus, .seat: true
            default: false
            }
        }
        if concerns { parties.locked { $0?.orchestra }?.ring() }
    }

    /// Mutes, volumes and tracks.
    func carryOut(_ command: Command) {
        guard let (keeper, orchestra) = parties.locked({ $0.map { ($0.keeper, $0.orchestra) } }) else { return }
        keeper.change { wall, _ in
            switch command {
            case .mute(let target): wall.toggleMute(target)
            case .volume(let amount): wall.changeVolume(by: amount)
            case .nextTrack: wall.nextTrack()
            default: break
            }
        }
        orchestra?.ring()
    }

    /// Names the threads that are not back in time. The orchestra's calls reach the speaker: it ends first.
    func stop() -> [String] {
        guard
            let ending = parties.locked({ parties -> Parties? in
                defer { parties = nil }
                return parties
            })
        else { return [] }
        let isBack = ending.orchestra?.stop() != .stillRunning
        ending.speaker?.stop()
        return isBack ? [] : ["orchestra"]
    }
}
