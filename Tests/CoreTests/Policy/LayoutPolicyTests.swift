import Expectations
import Testing

@testable import Base
@testable import Layout
@testable import Player
@testable import Policy

/// The second of the day at which the night of these tests begins.
private let ten = 22 * 3600

/// Schedules by the clock.
@Suite struct LayoutPolicyScheduleTests {
    private func shell(_ entries: [Schedule.Entry], at now: Int) -> PolicyShell {
        var shell = PolicyShell(.playing("day", entries), at: now)
        shell.files["night.json"] = .layout(.playing("night"), 1)
        return shell
    }

    @Test func aLayoutComesAndGoesAtTheSecond() {
        var shell = shell([.night(ten, ten + 4)], at: ten - 4)
        expect(shell.wake, equals: ten)
        expect(shell.pass(to: ten - 1), equals: [])
        expect(shell.pass(to: ten), equals: ["read night.json", "apply night schedule", "schedule night"])
        expect(shell.wake, equals: ten + 4)
        expect(shell.pass(to: ten + 4), equals: ["apply day schedule", "schedule -"])
        expect(shell.wake, equals: ten + 64)
    }

    @Test func aClockThatIsSetIsFollowed() {
        var shell = shell([.night(ten, 6 * 3600)], at: 12 * 3600)
        shell.now = ten + 100
        _ = shell.send(.instantCame)
        expect(shell.take(), equals: ["read night.json", "apply night schedule", "schedule night"])
        shell.now = 7 * 3600
        _ = shell.send(.instantCame)
        expect(shell.take(), equals: ["apply day schedule", "schedule -"])
    }

    @Test func aScheduleWakesEachMinuteForAnotherTimeZone() {
        var shell = shell([.night(ten, ten + 4)], at: 0)
        expect(shell.wake, equals: 60)
        expect(shell.pass(to: 60), equals: [])
        expect(shell.wake, equals: 120)
        expect(PolicyShell(.playing("day"), at: 0).wake, equals: nil)
    }

    @Test func aScheduledLayoutFromTheStartIsReportedAndNotReadAgain() {
        let layout = Layout.playing("day", [.night(ten, ten + 4)])
        var shell = PolicyShell(layout, at: ten - 1, scheduled: nil)
        expect(shell.take(), equals: [])
        let scheduled = ScheduledLayout(path: "night.json", file: PolicyShell.identity(1))
        shell = PolicyShell(layout, at: ten, scheduled: scheduled, shown: .playing("night"))
        expect(shell.policy.shownName, equals: "night.json")
        expect(shell.pass(to: ten + 4), equals: ["apply day schedule", "schedule -"])
    }

    @Test func aLayoutThatIsWrongOrGoneChangesNothingUntilItIsRight() {
        var shell = shell([.night(ten, ten + 3600)], at: ten - 1)
        shell.files["night.json"] = nil
        expect(
            shell.pass(to: ten),
            equals: [
                "read night.json", "print quadrille: night.json: gone", "reload failed: 1", "schedule night, not shown",
            ])
        expect(shell.known("/walls/night.json"), equals: .absent)
        // A missing file is not tried each minute: the watch reports the file when it comes.
        expect(shell.pass(to: ten + 60), equals: [])
        expect(
            shell.save(.wrong(2), at: "night.json"),
            equals: [
                "read night.json", "print night.json:1:2: tiles: wrong", "print night.json: and 2 more",
                "reload failed: 3",
            ])
        expect(shell.pass(to: ten + 120), equals: [])
        expect(shell.policy.shownName, equals: "wall.json")
        expect(
            shell.save(.layout(.playing("night"), 3), at: "night.json"),
            equals: ["read night.json", "apply night schedule", "schedule night"])
        // No file waits for its second chance any more.
        expect(shell.known("/walls/night.json"), equals: .file(PolicyShell.identity(3)))
    }

    @Test func aLayoutThatTheSystemRefusesIsTriedEachMinuteAndReportedOnce() {
        var shell = shell([.night(ten, ten + 3600)], at: ten - 1)
        shell.files["night.json"] = .locked(1)
        expect(shell.pass(to: ten).count, equals: 4)
        expect(shell.wake, equals: ten + 60)
        expect(shell.pass(to: ten + 60), equals: ["read night.json"])
        shell.files["night.json"] = .layout(.playing("night"), 1)
        expect(shell.pass(to: ten + 120), equals: ["read night.json", "apply night schedule", "schedule night"])
    }

    // MARK: the display

    @Test func theDisplayIsSwitchedWithoutTheThreadThatReadsFiles() {
        var shell = shell([.night(ten, ten + 6, .displayOff(cec: true))], at: ten - 4)
        shell.isWorkerStuck = true
        expect(shell.pass(to: ten), equals: ["display off(cec: true)"])
        // Another layout may be due. Switching on waits for it, but not for ever.
        expect(shell.pass(to: ten + 6), equals: [])
        expect(shell.wake, equals: ten + 11)
        expect(shell.pass(to: ten + 11), equals: ["display on"])
    }

    @Test func theDisplayIsSwitchedOnBehindTheLayoutThatIsDue() {
        let off = Schedule.Entry.night(ten, ten + 6, .displayOff(cec: false))
        var shell = shell([off, .night(ten + 6, ten + 60)], at: ten - 4)
        expect(shell.pass(to: ten), equals: ["display off(cec: false)", "schedule night"])
        expect(
            shell.pass(to: ten + 6),
            equals: ["read night.json", "apply night schedule", "display on", "schedule night"])
    }

    @Test func aDisplayThatNoEntrySwitchesIsLeftAlone() {
        var shell = shell([.night(ten, ten + 4)], at: ten)
        expect(shell.pass(to: ten + 4).contains { $0.hasPrefix("display") }, equals: false)
    }

    // MARK: breaks

    private func shell(breakAt time: Int, _ entries: [Schedule.Entry] = [], at now: Int) -> PolicyShell {
        var ad = BreakLayout(name: "ad", play: [])
        ad.times = [time]
        return PolicyShell(.playing("day", entries, breaks: [ad]), at: now)
    }

    @Test func aBreakComesAtTheSecondAndOnce() {
        var shell = shell(breakAt: ten, at: ten - 10)
        expect(shell.wake, equals: ten)
        expect(shell.pass(to: ten), equals: ["break ad"])
        expect(shell.pass(to: ten + 60), equals: [])
    }

    @Test(arguments: [(4, ["break ad"]), (5, [])])
    func aBreakThatIsTooLateIsLeftOut(_ late: Int, _ told: [String]) {
        var shell = shell(breakAt: ten, at: ten - 10)
        expect(shell.pass(to: ten + late), equals: told)
    }

    @Test func aBreakWhoseTimeComesWhileTheDisplayIsOffIsLeftOut() {
        var shell = shell(breakAt: ten + 2, [.night(ten, ten + 4, .displayOff(cec: false))], at: ten - 3)
        expect(shell.pass(to: ten), equals: ["display off(cec: false)", "schedule night"])
        expect(shell.pass(to: ten + 2), equals: [])
        expect(shell.pass(to: ten + 4), equals: ["display on", "schedule -"])
    }

    @Test func aClockThatIsSetBackRepeatsNoBreak() {
        var shell = shell(breakAt: ten, at: ten - 10)
        expect(shell.pass(to: ten), equals: ["break ad"])
        shell.now = ten - 100
        _ = shell.send(.instantCame)
        expect(shell.take(), equals: [])
        expect(shell.wake, equals: ten - 40)
    }
}

/// Files that users and other programs write.
@Suite struct LayoutPolicyFileTests {
    @Test func aSavedLayoutIsRead() {
        var shell = PolicyShell(.playing("a"), at: 0)
        expect(
            shell.save(.layout(.playing("b"), 2), at: "wall.json"), equals: ["read wall.json", "apply b command"])
        expect(shell.known("/walls/wall.json"), equals: .file(PolicyShell.identity(2)))
    }

    @Test func aBrokenFileKeepsTheLayoutThatPlays() {
        var shell = PolicyShell(.playing("a", [.night(ten, ten + 4)]), at: 0)
        shell.files["night.json"] = .layout(.playing("night"), 1)
        let lines = ["print wall.json:1:2: tiles: wrong", "print wall.json: and 2 more", "reload failed: 3"]
        expect(shell.save(.wrong(2), at: "wall.json"), equals: ["read wall.json"] + lines)
        expect(shell.known("/walls/wall.json"), equals: .file(PolicyShell.identity(2)))
        // The schedule of the layout that plays holds, too.
        expect(shell.pass(to: ten), equals: ["read night.json", "apply night schedule", "schedule night"])
        expect(shell.pass(to: ten + 4), equals: ["apply a schedule", "schedule -"])
    }

    @Test func aLayoutThatTheSystemRefusesForAWhileIsReadAgain() {
        var shell = PolicyShell(.playing("a"), at: 0)
        expect(
            shell.save(.locked(2), at: "wall.json"),
            equals: ["read wall.json", "print quadrille: wall.json: locked", "reload failed: 1"])
        expect(shell.pass(to: 60), equals: ["read wall.json"])
        shell.files["wall.json"] = .layout(.playing("b"), 2)
        expect(shell.pass(to: 120), equals: ["read wall.json", "apply b command"])
        expect(shell.wake, equals: nil)
    }

    @Test func aSaveOfOurOwnIsNoReload() {
        var shell = PolicyShell(.playing("a", [.night(ten, ten + 4)]), at: 0)
        shell.files["night.json"] = .layout(.playing("night"), 1)
        let saved = Layout.playing("a by hand", [.night(ten, ten + 4)])
        expect(shell.send(.writtenByProgram("/walls/wall.json", PolicyShell.identity(7), layout: saved)), equals: nil)
        expect(shell.take(), equals: [])
        // The watch reports files that differ from what is known.
        expect(shell.known("/walls/wall.json"), equals: .file(PolicyShell.identity(7)))
        // The saved layout comes back after a scheduled one.
        _ = shell.pass(to: ten)
        expect(shell.pass(to: ten + 4), equals: ["apply a by hand schedule", "schedule -"])
    }

    @Test func aSaveIntoAnotherFileLeavesTheLayoutAlone() {
        var shell = PolicyShell(.playing("a"), at: 0)
        _ = shell.send(.writtenByProgram("/walls/copy.json", PolicyShell.identity(7), layout: nil))
        expect(shell.known("/walls/wall.json"), equals: .file(PolicyShell.identity(1)))
    }

    @Test func aLayoutThatItsOwnScheduleShowsIsReadOnceAsBoth() {
        func layout(_ film: String) -> Layout {
            .playing(film, [Schedule.Entry(name: "day", to: ten, shows: .layout("wall.json"))])
        }
        let scheduled = ScheduledLayout(path: "wall.json", file: PolicyShell.identity(1))
        var shell = PolicyShell(layout("a"), at: 0, scheduled: scheduled, shown: layout("a"))
        expect(
            shell.save(.layout(layout("b"), 2), at: "wall.json"),
            equals: ["read wall.json", "apply b command"])
        expect(shell.pass(to: ten), equals: ["apply b schedule", "schedule -"])
    }

    @Test func changesThatComeWhileAFileIsReadAreTakenInOrder() {
        var shell = PolicyShell(.playing("a", [.night(ten, ten + 4)]), at: ten - 1)
        shell.isWorkerStuck = true
        shell.files["night.json"] = .layout(.playing("night"), 1)
        expect(shell.save(.layout(.playing("b", [.night(ten, ten + 4)]), 2), at: "wall.json"), equals: [])
        expect(shell.pass(to: ten), equals: [])
        expect(shell.save(.wrong(3), at: "wall.json"), equals: [])
        shell.files["wall.json"] = .layout(.playing("c", [.night(ten, ten + 4)]), 4)
        // The loaded layout has another schedule, too: the one that is due is shown at once.
        expect(
            shell.releaseWorker(),
            equals: [
                "read wall.json", "read night.json", "apply night schedule", "schedule night", "read wall.json",
            ])
        expect(shell.pass(to: ten + 4), equals: ["apply c schedule", "schedule -"])
    }

    @Test func anotherLayoutIsLoadedAndNamedLikeTheOneThatPlays() {
        var shell = PolicyShell(.playing("a"), at: 0)
        shell.files["other.json"] = .layout(.playing("other"), 1)
        expect(shell.send(.loadAsked("/walls/other.json")), equals: nil)
        expect(shell.take(), equals: ["read other.json", "apply other command"])
        expect(shell.policy.shownName, equals: "other.json")
        expect(shell.send(.loadAsked("/elsewhere/x.json"))?.detail, equals: "/elsewhere/x.json: gone")
        expect(shell.policy.shownName, equals: "other.json")
        shell.files["x.json"] = .wrong(1)
        expect(shell.send(.loadAsked("x.json"))?.detail, equals: "x.json:1:2: tiles: wrong (and 2 more)")
        expect(shell.known("/walls/x.json"), equals: nil)
    }

    @Test func aLoadedLayoutThatIsNotDueWaits() {
        let off = Schedule.Entry.night(ten, ten + 10, .displayOff(cec: false))
        var shell = PolicyShell(.playing("a", [off]), at: ten - 1)
        _ = shell.pass(to: ten)
        shell.files["other.json"] = .layout(.playing("other", [off]), 1)
        expect(shell.send(.loadAsked("other.json")), equals: nil)
        expect(shell.take(), equals: ["read other.json"])
        // Changes by hand are saved into the layout that is shown.
        expect(shell.policy.shownName, equals: "wall.json")
        expect(shell.pass(to: ten + 10), equals: ["apply other command", "display on", "schedule -"])
    }

    @Test func aReloadReadsTheLoadedLayoutAndTheOneThatIsShown() {
        let entries = [Schedule.Entry.night(ten, ten + 100)]
        var shell = PolicyShell(.playing("a", entries), at: ten - 1)
        shell.files["night.json"] = .layout(.playing("night"), 1)
        _ = shell.pass(to: ten)
        shell.files["night.json"] = .layout(.playing("later"), 2)
        expect(shell.send(.reloadAsked), equals: nil)
        expect(shell.take(), equals: ["read wall.json", "read night.json", "apply later command"])
        (shell.files["wall.json"], shell.files["night.json"]) = (.locked(2), nil)
        expect(shell.send(.reloadAsked)?.detail, equals: "night.json: gone")
        expect(shell.policy.shownName, equals: "night.json")
    }

    /// A number that is none differs from itself, and so does a layout that holds one.
    @Test func aLayoutThatDiffersFromItselfIsShownOnce() {
        var shell = PolicyShell(.playing("a"), at: 0)
        var layout = Layout.playing("b")
        layout.tiles[0].balance = .nan
        expect(shell.save(.layout(layout, 2), at: "wall.json"), equals: ["read wall.json", "apply b command"])
    }

    /// A decision that lacks a file notes nothing.
    @Test func aDecisionIsMadeWholeOrNotAtAll() throws {
        let loaded = LoadedLayout(name: "wall.json", file: nil, layout: .playing("a"))
        var policy = LayoutPolicy(
            loaded, scheduled: nil, refused: nil, shown: loaded.layout, sources: SourceFiles(), saves: .followed)
        let moment = LayoutPolicy.Moment(0, LocalTime { _ in 0 }, .zero, in: PolicyShell.folder)
        var read = LayoutRead()
        read.note(.layout(.playing("b")), nil, of: "other.json")
        expect((try? policy.decide(.loadAsked("other.json"), read, at: moment)) == nil)
        expect(policy.shownName == "wall.json" && policy.playedNames == ["wall.json"])
        read.note(.playing("b"), SourceFiles(), of: "other.json")
        let actions = try policy.decide(.loadAsked("other.json"), read, at: moment)
        expect(policy.shownName == "other.json" && !actions.isEmpty)
    }

    @Test func aWallWithoutALayoutsFileReadsNone() throws {
        let loaded = LoadedLayout(name: nil, file: nil, layout: .playing("a"))
        var policy = LayoutPolicy(
            loaded, scheduled: nil, refused: nil, shown: loaded.layout, sources: SourceFiles(), saves: .followed)
        let moment = LayoutPolicy.Moment(0, LocalTime { _ in 0 }, .zero, in: PolicyShell.folder)
        let actions = try policy.decide(.reloadAsked, LayoutRead(), at: moment)
        guard case .fail(let error)? = actions.first, actions.count == 1 else {
            Issue.record("\(actions)")
            return
        }
        expect(error.detail, equals: "no layout file is loaded")
    }

    @Test func layoutsAreWatchedOnlyIfThatIsAskedFor() {
        var shell = PolicyShell(.playing("a", [.night(ten, ten + 4)]), at: ten - 1, saves: .ignored)
        expect(shell.known("/walls/wall.json"), equals: nil)
        // A layout that could not be shown is watched in any case.
        _ = shell.pass(to: ten)
        expect(shell.known("/walls/night.json"), equals: .absent)
        expect(shell.pass(to: ten + 4), equals: ["schedule -"])
        expect(shell.known("/walls/night.json"), equals: nil)
    }

    // MARK: folders and songs

    private func shellOfFolder() -> PolicyShell {
        var shell = PolicyShell(.playing("/films"), at: 0)
        shell.sources.watched = ["/films"]
        shell.sources.identities = ["/films": PolicyShell.identity(1)]
        shell.sources.unfinished = ["/films/coming.mp4"]
        shell.sources.lacks = ["song lacks a film"]
        _ = shell.send(.reloadAsked)
        _ = shell.take()
        return shell
    }

    @Test func aChangedFolderIsReadAgain() {
        var shell = shellOfFolder()
        shell.openable = ["/films"]
        expect(
            shell.save(.wrong(2), at: "/films"), equals: ["forget /films", "apply /films command"])
    }

    @Test func aPathThatLeadsToNoFolderIsForgottenAlone() {
        var shell = shellOfFolder()
        expect(shell.save(.wrong(2), at: "/films"), equals: ["forget /films"])
        // The state that was reported is known from now on.
        expect(shell.known("/films"), equals: .file(PolicyShell.identity(2)))
    }

    @Test func aFileThatIsCopiedIsPlayedOnceItIsQuiet() {
        var shell = shellOfFolder()
        expect(shell.known("/films/coming.mp4"), equals: .absent)
        expect(
            shell.save(.wrong(1), at: "/films/coming.mp4"),
            equals: ["forget /films/coming.mp4", "apply /films command"])
    }

    @Test func aFolderThatTheSystemDoesNotOpenIsTriedEachMinute() {
        var shell = shellOfFolder()
        shell.sources.unopened = ["/films"]
        _ = shell.send(.reloadAsked)
        _ = shell.take()
        expect(shell.wake, equals: 60)
        expect(shell.pass(to: 60), equals: [])
        shell.openable = ["/films"]
        shell.sources.unopened = []
        expect(shell.pass(to: 120), equals: ["apply /films command"])
        expect(shell.wake, equals: nil)
    }

    @Test func eachLackOfASongIsPrintedOnce() {
        var shell = shellOfFolder()
        shell.sources.lacks = ["song lacks a film", "song lacks a text"]
        _ = shell.send(.reloadAsked)
        expect(shell.take().filter { $0.hasPrefix("print") }, equals: ["print song lacks a text"])
    }

    @Test func anyOtherFileConcernsTheWallAlone() {
        var shell = shellOfFolder()
        expect(shell.save(.wrong(2), at: "/clips/a.mp4"), equals: ["forget /clips/a.mp4"])
    }
}
