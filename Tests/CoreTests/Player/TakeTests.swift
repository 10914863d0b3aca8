import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Heard
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

private let sample = SoundGrid.time(of: 1)

/// Returns a plan of a song whose clock runs from second 100 of the wall on.
private func plan(
    _ runs: [SongPlan.Run] = [SongPlan.Run(RunID(iteration: 0), source: "song", start: .zero)],
    at position: Time = .zero,
    since now: Time = .seconds(100), rate: Rate = .one, _ motion: Clock.Motion = .running
) -> SongPlan {
    var clock = Clock(position: position, rate: rate)
    clock.seek(to: position, at: now)
    if motion == .running { clock.run(at: now) }
    return SongPlan(runs: runs, clock: clock)
}

private func history(_ plans: [(Time, SongPlan?)]) -> SongHistory {
    var history = SongHistory()
    for (now, plan) in plans { history.note(plan, at: now) }
    return history
}

/// Files that a recorder makes of a microphone, 10 ms at a time: start, rate and samples of each, by the time they were
/// sung.
private struct Files {
    struct File {
        let beginning: SongPlan.Place
        /// Time at which each sample was sung, in samples from the first.
        var samples: [Int] = []
    }
    var files: [File] = []
    var ends = 0

    init(_ history: SongHistory, from now: Time, blocks: Int, delay: Time = .zero, until end: Time? = nil) {
        var cutter = TakeCutter()
        for block in 0..<blocks {
            let first = block * 480
            let sung = now + sample * Int64(first)
            for step in cutter.cut(480, from: sung, delay: delay, by: history, until: end) {
                switch step {
                case .begin(let beginning): files.append(File(beginning: beginning))
                case .write(let range): files[files.count - 1].samples += range.map { $0 + first }
                case .end: ends += 1
                }
            }
        }
        ends += cutter.end().count
    }
}

@Suite struct TakeTests {
    @Test func aFileBeginsAtTheSongTimeOfItsFirstSample() {
        let files = Files(history([(.seconds(90), plan())]), from: .seconds(99), blocks: 300).files
        expect(files.count, equals: 1)
        expect(files[0].beginning.media, equals: .zero)
        expect(files[0].samples, equals: Array(48_000..<144_000))
        let later = Files(history([(.seconds(90), plan())]), from: .seconds(112), blocks: 10).files
        expect(later[0].beginning.media, equals: .seconds(12))
        expect(later[0].samples, equals: Array(0..<4800))
    }

    /// Pauses repeatedly, at odd instants. Each sample is the nearest one to its position.
    @Test func aPauseMakesNoneOfIt() {
        var plans = [(Time.seconds(90), plan())]
        var (now, position) = (Time.seconds(100), Time.zero)
        for pause in 1...9 {
            let played = Time.milliseconds(700) + Time(ticks: 14_700 * 3 + 4_900 * Int64(pause))
            (now, position) = (now + played, position + played)
            plans.append((now, plan(at: position, since: now, .paused)))
            now += Time.milliseconds(300) + Time(ticks: 1_111 * Int64(pause))
            plans.append((now, plan(at: position, since: now)))
        }
        let made = Files(history(plans), from: .seconds(100), blocks: 1200)
        expect(made.files.count == 1 && made.ends == 1)
        let file = made.files[0]
        let last = history(plans)
        for (place, sung) in file.samples.enumerated() {
            let media = last.plan(at: .seconds(100) + sample * Int64(sung)).plan!
                .place(at: .seconds(100) + sample * Int64(sung))!.media
            let off = Double((media - sample * Int64(place)).ticks) / 14_700
            expect(abs(off), atMost: 1.5, "sample \(place)")
            if abs(off) > 1.5 { return }
        }
    }

    /// Delayed sound stops and starts with the clock, and what is heard is earlier in the song by the delay.
    @Test func whatWasHeardLateBelongsToWhatWasHeard() {
        let delay = Time.milliseconds(150)
        let pause = [
            (Time.seconds(90), plan()), (.seconds(102), plan(at: .seconds(2), since: .seconds(102), .paused)),
            (.seconds(103), plan(at: .seconds(2), since: .seconds(103))),
        ]
        // The first sample is heard at 100.15 s.
        let paused = Files(history(pause), from: .seconds(100), blocks: 400, delay: delay)
        expect(paused.files.count == 1 && paused.files[0].beginning.media == .zero)
        let silence = 48_000 * 2 - 7_200
        expect(paused.files[0].samples, equals: Array(0..<silence) + Array((silence + 48_000)..<192_000))
        let seek = [
            (Time.seconds(90), plan()), (.seconds(102), plan(at: .seconds(30), since: .seconds(102))),
        ]
        let sought = Files(history(seek), from: .seconds(100), blocks: 300, delay: delay)
        expect(sought.files.map(\.beginning.media), equals: [.zero, .seconds(30) - delay])
        expect(sought.files.map(\.samples.count), equals: [silence, 144_000 - silence])
        let ended = Files(history(seek), from: .seconds(100), blocks: 300, delay: delay, until: .seconds(101))
        expect(ended.files.map(\.samples.count), equals: [48_000 - 7_200])
    }

    /// A run leaves the plan when it is over, while its sound is still heard.
    @Test func theEndOfASongThatIsHeardLateIsRecorded() {
        let delay = Time.milliseconds(150)
        let runs = [Self.run(RunID(iteration: 0), start: 0, end: 2), Self.run(RunID(iteration: 1), start: 2)]
        let made = Files(
            history([(.seconds(90), plan(runs)), (.seconds(102), plan([runs[1]]))]), from: .seconds(100), blocks: 400,
            delay: delay)
        expect(made.files.map(\.beginning.media), equals: [.zero, .zero])
        expect(made.files.map(\.samples.count), equals: [96_000, 96_000])
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let plans: @Sendable () -> [(Time, SongPlan?)]
        /// Start, rate and number of samples of each file sung from second 100 to 104.
        let files: [String]

        init(_ name: String, _ files: [String], _ plans: @escaping @Sendable () -> [(Time, SongPlan?)]) {
            (testDescription, self.files, self.plans) = (name, files, plans)
        }
    }

    private static func run(
        _ id: RunID, _ source: String = "song", from: Int64 = 0, start: Int64, end: Int64? = nil, rate: Rate = .one
    ) -> SongPlan.Run {
        SongPlan.Run(
            id, source: source, from: .seconds(from), start: .seconds(start), end: end.map { .seconds($0) }, rate: rate)
    }

    static let cases: [Case] = [
        Case("a seek", ["0.0 x1.0 96000", "30.0 x1.0 48000"]) {
            [
                (.seconds(90), plan()), (.seconds(102), plan(at: .seconds(30), since: .seconds(102), .paused)),
                (.seconds(103), plan(at: .seconds(30), since: .seconds(103))),
            ]
        },
        Case("another rate", ["0.0 x1.0 48000", "1.0 x0.5 144000"]) {
            [(.seconds(90), plan()), (.seconds(101), plan(at: .seconds(1), since: .seconds(101), rate: Rate(0.5)))]
        },
        Case("an item's own rate", ["0.0 x2.0 192000"]) {
            [(.seconds(90), plan([run(RunID(iteration: 0), start: 0, rate: Rate(2))]))]
        },
        Case("another item", ["0.0 x1.0 96000", "7.0 x1.0 96000"]) {
            [
                (
                    .seconds(90),
                    plan([
                        run(RunID(iteration: 0), start: 0, end: 2),
                        run(RunID(iteration: 0, item: 1), "next", from: 7, start: 2),
                    ])
                )
            ]
        },
        Case("another key", ["0.0 x1.0 48000", "1.0 x1.0 144000"]) {
            var higher = run(RunID(iteration: 0), start: 0)
            higher.key = 2
            return [
                (.seconds(90), plan([run(RunID(iteration: 0), start: 0)])),
                (.seconds(101), plan([higher], at: .seconds(1), since: .seconds(101))),
            ]
        },
        Case("a song's image that gives way to its video", ["0.0 x1.0 192000"]) {
            var (image, video) = (
                run(RunID(iteration: 0), "cover", start: 0, end: 2),
                run(RunID(iteration: 0, segment: 1), from: 2, start: 2)
            )
            (image.isSong, video.isSong) = (true, true)
            return [(.seconds(90), plan([image, video]))]
        },
        Case("segments of other films", ["0.0 x1.0 96000", "2.0 x1.0 96000"]) {
            [
                (
                    .seconds(90),
                    plan([
                        run(RunID(iteration: 0), "one", start: 0, end: 2),
                        run(RunID(iteration: 0, segment: 1), "other", from: 2, start: 2),
                    ])
                )
            ]
        },
        Case("another pass", ["0.0 x1.0 144000", "0.0 x1.0 48000"]) {
            [(.seconds(90), plan([run(RunID(iteration: 0), start: 0, end: 3), run(RunID(iteration: 1), start: 3)]))]
        },
        Case("nothing after the last item", ["0.0 x1.0 48000"]) {
            [(.seconds(90), plan([run(RunID(iteration: 0), start: 0, end: 1)]))]
        },
        Case("what is planned later", ["0.0 x1.0 192000"]) {
            [
                (.seconds(90), plan([run(RunID(iteration: 0), start: 0)])),
                (
                    .seconds(101),
                    plan([run(RunID(iteration: 0), start: 0, end: 9), run(RunID(iteration: 1), start: 9)])
                ),
            ]
        },
        Case("nothing plays, and then something", ["0.0 x1.0 96000"]) {
            [(.seconds(90), nil), (.seconds(102), plan(since: .seconds(102)))]
        },
    ]

    @Test(arguments: cases) func aFileIsOfOneStretch(of example: Case) {
        let made = Files(history(example.plans()), from: .seconds(100), blocks: 400)
        expect(
            made.files.map { "\($0.beginning.media.seconds) x\($0.beginning.rate.value) \($0.samples.count)" },
            equals: example.files)
        expect(made.ends, equals: made.files.count)
    }

    @Test func nothingIsWantedAfterTheEnd() {
        let made = Files(history([(.seconds(90), plan())]), from: .seconds(100), blocks: 400, until: .seconds(101))
        expect(made.files[0].samples.count, equals: 48_000)
    }

    @Test func whatIsHeldBackBeginsWithItsClock() {
        var clock = Clock(position: .zero, rate: .one)
        clock.run(at: .seconds(100), after: .seconds(1))
        let held = SongPlan(runs: [Self.run(RunID(iteration: 0), start: 0)], clock: clock)
        let made = Files(history([(.seconds(90), held)]), from: .seconds(100), blocks: 200)
        expect(made.files[0].samples.first, equals: 48_000)
        expect(made.files[0].beginning.media, equals: .zero)
    }

    @Test func aNoteIsReadAsItWasWritten() throws {
        let note = TakeNote(
            tile: "left", source: "/songs/a.mp4", item: 1, start: Time(seconds: 12.345678), latency: .milliseconds(40),
            rate: Rate(0.5), key: -3, date: "2026-01-31T12:00:00Z", input: "mic")
        let place = try #require(TakeNote.place(in: note.json))
        expect(abs((place.start - note.start).ticks) < 400 && place.rate == Rate(0.5) && place.key == -3)
        expect(String(decoding: note.json, as: UTF8.self).contains(#""song":{"source":"/songs/a.mp4","item":1}"#))
        for other in ["", "[]", "{}", #"{"start":1}"#, #"{"song":{},"start":"1"}"#, #"{"song":{},"start":1,"rate":0}"#]
        {
            expect(TakeNote.place(in: Array(other.utf8)), equals: nil, "\(other)")
        }
        expect(TakeNote.path(beside: "/a.b/take.flac"), equals: "/a.b/take.json")
        expect(TakeNote.path(beside: "/a.b/take"), equals: nil)
        expect(DatedName.of("a\u{1B}/b", at: "2026"), equals: "2026-a__b")
    }

    // MARK: the wall

    static func simulation(_ change: (inout Layout) -> Void = { _ in }) -> Simulation {
        var layout = Layout.of([["a", "b"]])
        change(&layout)
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 90), "b": FakeClip(frames: 60)])
        world.run(for: .seconds(1))
        return world
    }

    @Test func theKeyRecordsWhereRecordingsAreWanted() {
        for (isOffered, input, does) in [(false, nil, false), (true, nil, true), (false, "mic" as String?, true)] {
            var world = Self.simulation { $0.audio.input = input }
            world.act { wall, _ in wall.takesCanBeRecorded(isOffered: isOffered) }
            world.command(.record(.toggle))
            expect((world.wall.takes.session != nil), equals: does)
            expect((world.wall.takes.session?.source == .microphone(input)) || !does)
            world.command(.record(.on))
            expect(world.wall.takes.session?.name, equals: "tile1")
            let wasOn = world.now
            world.run(for: .seconds(1))
            world.command(.record(.toggle))
            expect(world.wall.takes.session?.endsAt.map { $0 > wasOn }, equals: true)
        }
        var world = Self.simulation()
        world.command(.record(.on))
        expect(world.wall.takes.session == nil, "nobody can record")
    }

    @Test func whatIsSungToIsKept() throws {
        var world = Self.simulation()
        world.act { wall, _ in wall.takesCanBeRecorded(isOffered: true) }
        world.command(.record(.on))
        let began = world.now
        world.run(for: .milliseconds(500))
        world.command(.pause(.toggle, .group))
        world.run(for: .milliseconds(500))
        world.command(.pause(.toggle, .group))
        world.run(for: .milliseconds(2500))
        world.command(.seek(.by(-.seconds(1)), .group))
        world.run(for: .seconds(2))
        let history = try #require(world.wall.takes.session?.history)
        let made = Files(history, from: began, blocks: 550).files
        expect(made.map(\.beginning.run.source).starts(with: ["a", "b"]))
        expect(made.count, atLeast: 3)
        expect(made[0].beginning.media > .milliseconds(900) && made[0].beginning.media < .milliseconds(1100))
        // Length from there to the end of the item, without the pause.
        let length = Time.seconds(3) - made[0].beginning.media
        expect(abs(made[0].samples.count - Int(SoundGrid.sample(at: length))), atMost: 2)
        expect(made[1].beginning.media, equals: .zero)
    }

    @Test func anOpenMicrophoneIsMarkedWhateverIsHidden() {
        var world = Self.simulation { $0.audio.monitorsInput = true }
        func states() -> [Marks.StateMark] {
            world.marked { _ in }.views.flatMap(\.marks.states)
        }
        expect(states(), equals: [])
        world.act { wall, _ in wall.takesCanBeRecorded(isOffered: true) }
        expect(states(), equals: [], "it is not there")
        world.act { $0.player.note(.monitored(.open), at: $1) }
        expect(states(), equals: [.microphone])
        world.command(.record(.on))
        expect(states(), equals: [.recording])
        world.command(.record(.off))
        expect(states(), equals: [.recording], "until it is closed")
        world.act { wall, now in wall.recordingHasEnded(1, at: now) }
        expect(states(), equals: [.microphone])
        world.act { $0.player.note(.monitored(.closed), at: $1) }
        expect(states(), equals: [])
    }
}
