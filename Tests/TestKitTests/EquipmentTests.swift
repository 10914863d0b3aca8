import Expectations
import Foundation
import TestKit
import Testing

/// Tests the test kit on programs whose behaviour is known.
@Suite(.serialized) struct EquipmentTests {
    static let clips: [Witness] = Witness.Codec.allCases.enumerated().map { index, codec in
        Witness(index + 1).with {
            $0.codec = codec
            $0.container = [.vp9: .webm, .mpeg4: .avi, .h264: .mp4][codec] ?? .mkv
            ($0.width, $0.height, $0.frames) = (320, 180, 30)
        }
    }

    @Test(arguments: clips) func theCameraReadsEveryFrameOfAWitness(_ clip: Witness) throws {
        let display = try Display(width: 320, height: 180)
        let camera = try Camera(display, [Tile(Area(0, 0, 160, 90))])
        // ffplay shows every frame for its duration, at half the size in the upper left corner.
        let player = try Child(
            [
                "ffplay", "-v", "error", "-noborder", "-left", "0", "-top", "0", "-x", "160", "-y", "90", "-an",
                "-noframedrop", try clip.file(),
            ], environment: display.environment)
        expect(RealTime.wait(atMost: 10) { camera.latest() == .frame(Mark(clip: clip.clip, number: 29)) })
        let film = camera.stop()
        player.end()
        // ffplay may show its first frames before its window has its place.
        let seen = film.runs(of: 0).compactMap(\.mark).filter { $0.number > 2 }
        expect(seen, equals: (3..<30).map { Mark(clip: clip.clip, number: $0) })
        expect(film.rate, above: 90)
    }

    @Test func aStillIsReadFromAPhoto() throws {
        let display = try Display(width: 640, height: 360)
        let still = try Witness(9).still(17)
        let player = try Child(
            ["ffplay", "-v", "error", "-noborder", "-left", "0", "-top", "0", still], environment: display.environment)
        let tile = Tile(Area(0, 0, 640, 360))
        expect(RealTime.wait(atMost: 10) { (try? Photo(display).read(tile)) == .frame(Mark(clip: 9, number: 17)) })
        player.end()
    }

    @Test func edgesAreFoundToThePixel() throws {
        let display = try Display(width: 640, height: 360)
        let red = Colour(200, 30, 40)
        let clip = Witness().with {
            $0.look = .flat(red)
            ($0.width, $0.height, $0.frames) = (100, 50, 30)
        }
        let player = try Child(
            ["ffplay", "-v", "error", "-noborder", "-left", "20", "-top", "30", "-loop", "0", try clip.file()],
            environment: display.environment)
        expect(RealTime.wait(atMost: 10) { (try? Photo(display).edges(of: red)) == Area(20, 30, 100, 50) })
        try expect(Photo(display).mean(Area(20, 30, 100, 50)).distance(to: red), below: 6)
        player.end()
    }

    @Test func tonesAndBurstsAreHeard() throws {
        let server = try SoundServer()
        let clip = Witness(4).with {
            ($0.sound, $0.codec, $0.container) = (.pcm, .mpeg4, .mkv)
            ($0.frames, $0.bursts) = (60, [30])
        }
        let microphone = try Microphone(server)
        let wave = Scratch.path("clip.wav")
        try run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", try clip.file(), "-vn", wave])
        let player = try Child(["paplay", "-d", "wall", wave], environment: server.environment)
        expect(player.wait(atMost: 20), equals: 0)
        let heard = microphone.stop()
        expect(heard.clips(among: Array(0..<16)), equals: [4])
        let tone = heard.course(of: clip.tone).filter { $0.amplitude > 0.1 }.map(\.time)
        let burst = heard.course(of: Witness.burstTone).filter { $0.amplitude > 0.1 }.map(\.time)
        let first = try #require(tone.first), bang = try #require(burst.first)
        expect(abs(bang - first - 1), below: 0.05)
    }

    @Test func decodersAreCountedFromOutside() throws {
        let count = try DecoderCount()
        let display = try Display(width: 320, height: 180)
        var environment = display.environment
        environment.merge(try count.environment) { $1 }
        let clip = Witness(2).with { $0.frames = 30 }
        let player = try Child(["ffplay", "-v", "error", "-autoexit", try clip.file()], environment: environment)
        expect(player.wait(atMost: 20), equals: 0)
        expect(count.most, equals: 1)
        expect(count.now, equals: 0)
        let still = try Child(["ffplay", "-v", "error", "-autoexit", try clip.still()], environment: environment)
        expect(still.wait(atMost: 20), equals: 0)
        expect(count.opened, equals: 1)
    }

    @Test func whatWasStartedLeavesNoZombie() throws {
        var display: Display? = try Display(width: 320, height: 180)
        expect(display?.name.hasPrefix(":"), equals: true)
        display = nil
        let stat = try run(["ps", "--ppid", "\(getpid())", "-o", "stat="])
        expect(!stat.contains("Z"))
    }

    @Test func childrenHaveThePriorityThatIsAskedFor() throws {
        let low = try Child(["sleep", "30"], priority: .low)
        expect(RealTime.wait(atMost: 5) { name(of: low.pid) == "sleep" })
        func niceness(_ pid: pid_t) throws -> Int? {
            Int(try run(["ps", "-o", "ni=", "-p", "\(pid)"]).trimmingCharacters(in: .whitespacesAndNewlines))
        }
        try expect(niceness(low.pid), equals: niceness(getpid()).map { min(19, $0 + 10) })
        let usual = try Child(["sleep", "30"])
        expect(RealTime.wait(atMost: 5) { name(of: usual.pid) == "sleep" })
        try expect(niceness(usual.pid), equals: niceness(getpid()))
    }

    private func name(of pid: pid_t) -> String? {
        (try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8))?.trimmingCharacters(in: .newlines)
    }

    @Test func childrenEndWithTheTestsHoweverTheyEnd() throws {
        // The outer shell stands for the tests and is killed. Its child gets no signal from this test.
        let helper = try Spawner.helper.get()
        let tests = try Child(["sh", "-c", "\"$0\" $$ usual sleep 300 & echo $!; wait", helper])
        expect(RealTime.wait(atMost: 5) { tests.output.hasSuffix("\n") })
        let child = try #require(pid_t(tests.output.dropLast()))
        func isAlive() -> Bool {
            let state = (try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8))?.split(separator: " ")
            return state.map { $0[2] != "Z" } ?? false
        }
        expect(RealTime.wait(atMost: 5, until: isAlive))
        tests.signal(SIGKILL)
        expect(RealTime.wait(atMost: 5) { !isAlive() })
    }
}
