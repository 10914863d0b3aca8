import Expectations
import Foundation
import Testing
import Threads

import enum TestKit.Samples

@testable import Base
@testable import Heard
@testable import Media

/// Checks every millisecond, at most for 20 seconds.
private func comesTrue(_ condition: () -> Bool) -> Bool {
    let deadline = monotonicNanoseconds() + 20_000_000_000
    while !condition() {
        if monotonicNanoseconds() > deadline { return false }
        poll(nil, 0, 1)
    }
    return true
}

@Suite struct SoundVoiceTests {
    /// The left channel of a voice from `first` on.
    private func listen(_ plan: SoundPlan, from first: Int64 = 0, samples: Int) throws -> [Float] {
        let voice = try Voice("test")
        defer {
            voice.stop()
            expect(voice.join(within: 2_000_000_000), equals: [])
        }
        _ = voice.follow(plan, .heard, horizon: SoundGrid.time(of: first))
        var left: [Float] = []
        var buffer = [Float](repeating: 0, count: 960)
        while left.count < samples {
            let place = first + Int64(left.count)
            let isThere = comesTrue {
                buffer.withUnsafeMutableBufferPointer { voice.read(from: place, 480, used: 480, to: $0.baseAddress!) }
                    == 480
            }
            try #require(isThere, "nothing at \(place)")
            left += Samples.left(of: buffer)
        }
        return left
    }

    private func clock(_ rate: Rate = .one) -> Clock {
        var clock = Clock(position: .zero, rate: rate)
        clock.run(at: .zero)
        return clock
    }

    private func tone(_ folder: Folder, _ name: String, _ arguments: [String], seconds: String = "2") throws -> String {
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", "aevalsrc=0.3*sin(2*PI*500*t):s=48000:d=\(seconds)"] + arguments + [name])
        return folder.file(name)
    }

    /// Phase of 500 Hz from a sample on, against that of a sine which begins with the sound, in turns.
    private func phase(_ samples: [Float], at place: Int) -> Double {
        Samples.phase(samples, 500, in: place..<place + 960)
    }

    @Test(
        arguments: [("a.m4a", ["-c:a", "aac"]), ("a.mp3", []), ("a.opus", []), ("a.flac", [])] as [(String, [String])])
    func aLoopHasNoHoleAndNoSlip(name: String, arguments: [String]) throws {
        let folder = try Folder()
        let path = try tone(folder, name, arguments)
        let runs = (0..<10).map { pass in
            SoundRun(source: path, start: .seconds(2) * pass, end: .seconds(2) * (pass + 1))
        }
        let heard = try listen(SoundPlan(runs: runs, clock: clock()), samples: 48_000 * 19)
        for place in stride(from: 4_800, to: heard.count - 960, by: 4_800) {
            let part = heard[place - 480..<place + 480]
            expect(abs(Samples.amplitude(part, 500) - 0.3), below: 0.03, "at \(place)")
            expect(abs(phase(heard, at: place)), below: 0.01, "at \(place)")
        }
    }

    /// 883 cycles are 88,300 samples of the file and 96,108.84 of the grid: a fraction at each seam.
    @Test(arguments: [("a.wav", []), ("a.m4a", ["-c:a", "aac", "-b:a", "128k"])] as [(String, [String])])
    func aHundredLoopsOfAnotherSampleRateDoNotSlip(name: String, arguments: [String]) throws {
        let folder = try Folder()
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", "aevalsrc=0.3*sin(2*PI*441*t):s=44100:d=\(883.0 / 441)"] + arguments + [name])
        func start(_ pass: Int) -> Time { Time(883 * Int64(pass), ofUnits: 1, over: 441) }
        let runs = (0..<101).map { SoundRun(source: folder.file(name), start: start($0), end: start($0 + 1)) }
        let heard = try listen(
            SoundPlan(runs: runs, clock: clock()), samples: Int(SoundGrid.sample(at: start(100))))
        var slip = 0.0
        for from in stride(from: 4_800, to: heard.count - 2_400, by: 12_000) {
            slip = max(slip, abs(Samples.phase(heard, 441, in: from..<from + 2_400)) / 441)
        }
        print("\(name): slip \(slip * 1000) ms in 100 loops")
        expect(slip, below: 0.000_05)
    }

    @Test func aBedBeginsAgainWithoutAHole() throws {
        let folder = try Folder()
        let path = try tone(folder, "a.ogg", ["-c:a", "libvorbis"])
        let run = SoundRun(source: path, start: .zero, repetition: .forever)
        let heard = try listen(SoundPlan(runs: [run], clock: clock()), samples: 48_000 * 7)
        for place in stride(from: 2_400, to: heard.count - 960, by: 2_400) {
            expect(abs(Samples.amplitude(heard[place..<place + 960], 500) - 0.3), below: 0.03, "at \(place)")
        }
    }

    /// A tone that changes from 500 Hz to 1 kHz after one second at this rate.
    @Test(arguments: [0.25, 0.5, 1, 1.5, 2, 4])
    func anotherRateIsThatMuchFasterAndKeepsThePitch(rate: Double) throws {
        let folder = try Folder()
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=0.3*sin(2*PI*t*if(lt(t\\,\(rate))\\,500\\,1000)):s=48000:d=8", "a.wav",
        ])
        let run = SoundRun(source: folder.file("a.wav"), start: .zero, end: .seconds(8))
        let heard = try listen(SoundPlan(runs: [run], clock: clock(Rate(rate))), samples: 90_000)
        let windows = stride(from: 4_800, to: 86_400, by: 480).map { first in
            let part = heard[first..<first + 960]
            return (
                second: Double(first + 480) / 48_000, low: Samples.amplitude(part, 500),
                high: Samples.amplitude(part, 1000)
            )
        }
        let wrong = windows.filter { window in
            let (due, other) = window.second < 1 ? (window.low, window.high) : (window.high, window.low)
            return abs(window.second - 1) > 0.08 && (due < 0.25 || other > 0.05)
        }
        expect(wrong.isEmpty, "\(wrong.count) windows, the first after \(wrong.first?.second ?? 0) s")
        let change = try #require(windows.first { $0.high > $0.low }).second
        expect(abs(change - 1), below: 0.045, "it changes after \(change) s")
    }

    @Test func aShorterSoundIsFollowedBySilenceAndALongerOneIsCut() throws {
        let folder = try Folder()
        let path = try tone(folder, "a.wav", [], seconds: "1")
        let runs = [
            SoundRun(source: path, start: .zero, end: .seconds(2)),
            SoundRun(source: path, start: .seconds(2), end: Time.seconds(2) + .milliseconds(500)),
            SoundRun(source: folder.file("none.wav"), start: Time.seconds(2) + .milliseconds(500), end: .seconds(3)),
            SoundRun(source: path, start: .seconds(3), end: .seconds(4)),
        ]
        let heard = try listen(SoundPlan(runs: runs, clock: clock()), samples: 48_000 * 4 - 960)
        let isLoud = stride(from: 12_000, to: heard.count, by: 24_000).map { place in
            Samples.amplitude(heard[place - 4_800..<place + 4_800], 500) > 0.2
        }
        expect(isLoud, equals: [true, true, false, false, true, false, true, true])
        expect(heard[48_000..<95_990].allSatisfy { $0 == 0 })
    }

    @Test func theMixIsHeldToTheClock() throws {
        let folder = try Folder()
        let path = try tone(folder, "a.wav", [], seconds: "6")
        let plan = SoundPlan(runs: [SoundRun(source: path, start: .zero, end: .seconds(6))], clock: clock())
        let (mixer, voice) = (Mixer(), try Voice("test"))
        defer {
            voice.stop()
            expect(voice.join(within: 2_000_000_000), equals: [])
        }
        _ = voice.follow(plan, .heard, horizon: .zero)
        _ = mixer.set(
            SoundID(number: 0), MixChannel.Order(voice: voice, clock: plan.clock, delay: .zero, gain: 1))
        var left: [Float] = []
        var block = [Float](repeating: 0, count: 960)
        for step in 0..<400 {
            // The stream's own clock is 100 parts in a million slow, so samples are heard a little later.
            let heard = Time(seconds: Double(step) * 0.01 * 1.0001)
            var probe = [Float](repeating: 0, count: 2)
            let sample = SoundGrid.sample(at: heard) + 2_400
            expect(comesTrue { voice.read(from: sample, 1, used: 0, to: &probe) == 1 || step > 390 })
            block.withUnsafeMutableBufferPointer {
                mixer.render(to: $0.baseAddress!, frames: 480, heard: heard, .unbroken)
            }
            left += Samples.left(of: block)
        }
        expect(mixer.pace.correction < 0.002 && abs(mixer.pace.error.seconds) < 0.003)
        expect(Samples.largestStep(left[4_800...]), below: 0.3 * 2 * Float.pi * 500 / 48_000 * 1.05)
    }

    /// The left channel from sample `first` on; nil if it does not come.
    private func read(_ voice: Voice, from first: Int64, _ count: Int) -> [Float]? {
        var buffer = [Float](repeating: 0, count: count * 2)
        let isThere = comesTrue {
            buffer.withUnsafeMutableBufferPointer { voice.read(from: first, count, used: 0, to: $0.baseAddress!) }
                == count
        }
        return isThere ? Samples.left(of: buffer) : nil
    }

    /// Sound decoded in the old key is replaced soon after the horizon, and cross-fades into the new one.
    @Test func anotherKeyIsHeardAtOnceAndWithoutAClick() throws {
        let folder = try Folder()
        let path = try tone(folder, "a.wav", [], seconds: "4")
        var run = SoundRun(source: path, start: .zero, end: .seconds(4))
        let voice = try Voice("test")
        defer {
            voice.stop()
            expect(voice.join(within: 2_000_000_000), equals: [])
        }
        _ = voice.follow(SoundPlan(runs: [run], clock: clock()), .heard, horizon: .zero)
        _ = try #require(read(voice, from: 0, 20_000))
        var probe = [Float](repeating: 0, count: 2)
        // The mixer has read up to this sample.
        _ = voice.read(from: 12_000, 1, used: 1, to: &probe)
        run.key = 12
        let horizon = SoundGrid.time(of: 4_800)
        expect(!voice.follow(SoundPlan(runs: [run], clock: clock()), .heard, horizon: horizon))
        // The old block is heard until the new one is decoded.
        expect(voice.read(from: 12_000, 1, used: 0, to: &probe), equals: 1)
        expect(comesTrue { voice.follow(SoundPlan(runs: [run], clock: clock()), .heard, horizon: horizon) })
        // Repeating the plan changes nothing.
        expect(!voice.follow(SoundPlan(runs: [run], clock: clock()), .heard, horizon: horizon))
        let heard = try #require(read(voice, from: 0, 24_000))
        let (low, high) = (Array(heard[7_200..<9_120]), Array(heard[14_400..<16_320]))
        expect(Samples.amplitude(low, 500) > 0.29 && Samples.amplitude(low, 1000) < 0.01)
        expect(Samples.amplitude(high, 1000) > 0.15 && Samples.amplitude(high, 500) < 0.02)
        // Largest step of the higher tone, with a little more for the blend.
        expect(Samples.largestStep(heard[...]), below: 0.3 * 2 * Float.pi * 1000 / 48_000 * 1.1)
        // Back to its own key, which needs no filter.
        run.key = 0
        let later = SoundGrid.time(of: 9_600)
        expect(comesTrue { voice.follow(SoundPlan(runs: [run], clock: clock()), .heard, horizon: later) })
        let back = try #require(read(voice, from: 12_000, 12_000))
        let end = Array(back[6_720..<8_640])
        expect(Samples.amplitude(end, 500) > 0.29 && abs(phase(back, at: 6_720)) < 0.01)
    }

    /// A block is not taken if its decoding began before the key changed.
    @Test func whatIsOnItsWayInAnotherKeyIsNotTaken() {
        var (state, run) = (VoiceState(), SoundRun(source: "a", start: .zero, end: .seconds(4)))
        func epoch() -> Int? {
            if case .done(.decode(_, from: _, let epoch)?) = state.nextTask() { epoch } else { nil }
        }
        func take(_ epoch: Int) -> Bool {
            [Float](repeating: 0, count: 20_000).withUnsafeBufferPointer { state.take($0, of: .run(run), epoch: epoch) }
        }
        _ = state.follow(SoundPlan(runs: [run], clock: clock()), .heard, horizon: .zero)
        let first = epoch()!
        expect(take(first) && epoch() == first)
        var before = first
        for key in [2, 5, 2] {
            run.key = key
            _ = state.follow(SoundPlan(runs: [run], clock: clock()), .heard, horizon: .zero)
            expect(!take(before))
            before = epoch()!
            _ = state.follow(SoundPlan(runs: [run], clock: clock()), .heard, horizon: .zero)
            expect(epoch(), equals: before, "told once more it goes on")
        }
    }

    /// Error of each burst of 40 ms in milliseconds: the middle of its energy against its time in the film.
    private func errors(at rate: Rate, from first: Time = .zero) throws -> [Double] {
        let folder = try Folder()
        // A burst in each half second, away from the beginning.
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=0.5*sin(2*PI*1000*t)*between(mod(t\\,0.5)\\,0.2\\,0.24):s=48000:d=5",
            "a.wav",
        ])
        let plan = SoundPlan(
            runs: [SoundRun(source: folder.file("a.wav"), start: .zero, end: .seconds(5))], clock: clock(rate))
        let start = plan.sample(at: first), end = plan.sample(at: .seconds(5)) - 480
        let heard = try listen(plan, from: start, samples: Int(end - start))
        return stride(from: 0.22, to: 5, by: 0.5).compactMap { middle -> Double? in
            let expected = Int(middle / rate.value * 48_000) - Int(start), reach = Int(0.12 / rate.value * 48_000)
            return Samples.middleOfEnergy(heard, around: expected, reach: reach, least: 1)
        }
    }

    @Test(arguments: [0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 1.03, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4])
    func aBurstIsHeardWhereItsFrameIsAtAnyRate(rate: Double) throws {
        for first in [Time.zero, .milliseconds(1730)] {
            let errors = try errors(at: Rate(rate), from: first)
            expect(errors.count, atLeast: 6)
            expect(errors.allSatisfy { abs($0) <= 8 }, "\(rate) from \(first.seconds): \(errors)")
            expect(abs(errors.reduce(0, +) / Double(errors.count)), atMost: 3)
        }
    }
}
