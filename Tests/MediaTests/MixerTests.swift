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

/// A mixer with a stream of its own, which is heard 200 ms after it was written.
private final class Desk {
    let mixer: Mixer
    let voice: Voice
    let plan: SoundPlan
    private(set) var left: [Float] = []
    private(set) var right: [Float] = []

    init(_ path: String, seconds: Int64, silence: Int64) throws {
        mixer = Mixer(silence: silence)
        var clock = Clock(position: .zero, rate: .one)
        clock.run(at: .zero)
        plan = SoundPlan(runs: [SoundRun(source: path, start: .zero, end: .seconds(seconds))], clock: clock)
        voice = try Voice("test")
    }

    func turn(to gain: StereoGain) { _ = turn(to: gain, levels: []) }

    func turn(to gain: StereoGain, levels: [SoundLevel]) -> Bool {
        mixer.set(
            SoundID(number: 0),
            MixChannel.Order(voice: voice, clock: plan.clock, delay: .zero, gain: gain, levels: levels))
    }

    /// Waits until the voice has the sample that lies `samples` after the mix's end.
    func awaitVoice(_ samples: Int) -> Bool {
        var probe = [Float](repeating: 0, count: 2)
        return comesTrue { voice.read(from: Int64(left.count + samples), 1, used: 0, to: &probe) == 1 }
    }

    func render(_ frames: Int) {
        var block = [Float](repeating: 0, count: frames * 2)
        block.withUnsafeMutableBufferPointer {
            mixer.render(
                to: $0.baseAddress!, frames: frames, heard: SoundGrid.time(of: Int64(left.count)), .unbroken)
        }
        left += stride(from: 0, to: frames * 2, by: 2).map { block[$0] }
        right += stride(from: 1, to: frames * 2, by: 2).map { block[$0] }
    }

    func rewind(_ frames: Int) -> Int {
        let back = mixer.rewind(frames)
        left.removeLast(back)
        right.removeLast(back)
        return back
    }

    func end() {
        voice.stop()
        expect(voice.join(within: 2_000_000_000), equals: [])
    }

    var largestStep: Float { zip(left, left.dropFirst()).map { abs($0 - $1) }.max() ?? 0 }
}

@Suite struct MixerTests {
    /// Largest step between samples of 500 Hz at this amplitude.
    private let steepest: Float = 0.3 * 2 * .pi * 500 / 48_000 * 1.05

    private func desk(_ folder: Folder, silence: Int64 = 3_000_000_000) throws -> Desk {
        try folder.ffmpeg(["-f", "lavfi", "-i", "aevalsrc=0.3*sin(2*PI*500*t):s=48000:d=3", "a.wav"])
        return try Desk(folder.file("a.wav"), seconds: 3, silence: silence)
    }

    @Test func aLevelIsTurnedWithoutAClick() throws {
        let folder = try Folder()
        let desk = try desk(folder)
        defer { desk.end() }
        _ = desk.voice.follow(desk.plan, .heard, horizon: .zero)
        desk.turn(to: 1)
        expect(desk.awaitVoice(12_000))
        for _ in 0..<20 { desk.render(480) }
        for (gain, rounds) in [(Float(0), 10), (1, 10)] {
            let level = SoundLevel(start: 0, gain: gain)
            expect(desk.turn(to: 1, levels: [level]) && !desk.turn(to: 1, levels: [level]))
            expect(desk.awaitVoice(9_000))
            for _ in 0..<rounds { desk.render(480) }
        }
        expect(desk.largestStep, below: steepest)
        let (before, muted, back) = (desk.left[8_400..<9_600], desk.left[10_900..<14_300], desk.left[15_700..<19_000])
        expect(before.max()! > 0.29 && muted.allSatisfy { $0 == 0 } && back.max()! > 0.29)
    }

    @Test func aRunBeginsAsLoudAsItIs() throws {
        let folder = try Folder()
        let desk = try desk(folder)
        defer { desk.end() }
        _ = desk.voice.follow(desk.plan, .heard, horizon: .zero)
        // One run is muted, the next one is not. The seam lies within a block.
        _ = desk.turn(to: 1, levels: [SoundLevel(start: 0, gain: 0), SoundLevel(start: 7_230, gain: 1)])
        expect(desk.awaitVoice(12_000))
        for _ in 0..<20 { desk.render(480) }
        let first = try #require(desk.left.firstIndex { $0 != 0 })
        let shift = first - 7_230
        // The mixer looks one block ahead.
        expect((0...98).contains(shift), "\(first)")
        expect(desk.left[(first + 24)..<(first + 120)].max()!, above: 0.29)
    }

    @Test func whatIsMadeAnewWithoutAChangeIsTheSame() throws {
        let folder = try Folder()
        let desk = try desk(folder)
        defer { desk.end() }
        _ = desk.voice.follow(desk.plan, .heard, horizon: .zero)
        desk.turn(to: 1)
        expect(desk.awaitVoice(12_000))
        for _ in 0..<20 { desk.render(480) }
        let before = desk.left
        let back = desk.rewind(8_000)
        expect((7_520...8_000).contains(back))
        desk.render(back)
        expect(desk.left, equals: before)
    }

    @Test func aChangeIsHeardFromWhereTheMixerWentBackTo() throws {
        let folder = try Folder()
        let desk = try desk(folder)
        defer { desk.end() }
        _ = desk.voice.follow(desk.plan, .heard, horizon: .zero)
        desk.turn(to: 1)
        expect(desk.awaitVoice(12_000))
        for _ in 0..<20 { desk.render(480) }
        desk.turn(to: 0)
        let back = desk.rewind(8_000)
        let from = desk.left.count
        desk.render(back)
        // A fade of 20 ms follows the limiter's block, and then silence.
        expect(desk.left[(from + 1_200)...].allSatisfy { $0 == 0 })
        expect(desk.left[(from + 100)..<(from + 300)].contains { abs($0) > 0.1 })
        expect(desk.largestStep, below: steepest)
    }

    /// A film in mono.
    @Test func aBalanceIsTurnedWithoutAClick() throws {
        let folder = try Folder()
        let desk = try desk(folder)
        defer { desk.end() }
        _ = desk.voice.follow(desk.plan, .heard, horizon: .zero)
        desk.turn(to: 1)
        expect(desk.awaitVoice(12_000))
        for _ in 0..<20 { desk.render(480) }
        for balance in [-1, 0.5] {
            desk.turn(to: StereoGain(1, balance: balance))
            expect(desk.awaitVoice(9_000))
            for _ in 0..<10 { desk.render(480) }
        }
        func level(_ side: [Float], _ begin: Int) -> Double { Samples.amplitude(side[begin..<begin + 1_920], 500) }
        let levels = [7_200, 11_520, 16_320].map { (level(desk.left, $0), level(desk.right, $0)) }
        let expected = [(0.3, 0.3), (0.3, 0), (0.15, 0.3)]
        for (level, due) in zip(levels, expected) {
            expect(abs(level.0 - due.0) < 0.01 && abs(level.1 - due.1) < 0.01, "\(levels)")
        }
        let right = zip(desk.right, desk.right.dropFirst()).map { abs($0 - $1) }.max() ?? 0
        expect(desk.largestStep < steepest && right < steepest)
    }

    @Test func theEndFadesOutFromWhereTheMixerWentBackTo() throws {
        let folder = try Folder()
        let desk = try desk(folder)
        defer { desk.end() }
        expect(desk.mixer.end(), equals: nil, "nothing is heard")
        let other = try self.desk(folder)
        defer { other.end() }
        _ = other.voice.follow(other.plan, .heard, horizon: .zero)
        other.turn(to: 1)
        expect(other.awaitVoice(12_000))
        for _ in 0..<20 { other.render(480) }
        let length = try #require(other.mixer.end())
        let back = other.rewind(8_000)
        let from = other.left.count
        other.render(back)
        // The director may still set the voices.
        other.turn(to: 1)
        for _ in 0..<4 { other.render(480) }
        let silent = from + Int(SoundGrid.sample(at: length))
        expect(other.left[silent...].allSatisfy { $0 == 0 })
        expect(other.left[from..<silent].contains { abs($0) > 0.1 })
        expect(other.largestStep, below: steepest)
    }

    @Test func whatAVoiceBringsTooLateIsFilledIn() throws {
        let folder = try Folder()
        let desk = try desk(folder)
        defer { desk.end() }
        desk.turn(to: 1)
        for _ in 0..<20 { desk.render(480) }
        expect(desk.left.allSatisfy { $0 == 0 } && desk.mixer.lacks(after: .milliseconds(100)))
        _ = desk.voice.follow(desk.plan, .heard, horizon: .milliseconds(50))
        desk.voice.fill(until: monotonicNanoseconds() + 5_000_000_000)
        let back = desk.rewind(7_000)
        desk.render(back)
        expect(desk.left[4_800...].contains { abs($0) > 0.29 })
        expect(!desk.mixer.lacks(after: .milliseconds(100)) && desk.largestStep < steepest)
    }

    @Test func aMixerGoesBackNoFurtherThanItWasEver() throws {
        let mixer = Mixer()
        expect(mixer.rewind(4_800), equals: 0)
        var block = [Float](repeating: 0, count: 960)
        mixer.render(to: &block, frames: 480, heard: .zero, .broken)
        expect(mixer.rewind(4_800), equals: 480)
        expect(mixer.rewind(4_800), equals: 0)
    }

    /// A voice with a stopped clock, or an unreadable file, is removed at once: its thread would stay for ever.
    @Test(arguments: [true, false]) func whatMakesNoSoundIsGoneWithoutAFade(_ isRunning: Bool) throws {
        let voice = try Voice("test")
        defer {
            voice.stop()
            expect(voice.join(within: 2_000_000_000), equals: [])
        }
        let mixer = Mixer()
        var clock = Clock(position: .zero, rate: .one)
        if isRunning { clock.run(at: .zero) }
        _ = mixer.set(
            SoundID(number: 0), MixChannel.Order(voice: voice, clock: clock, delay: .zero, gain: 1))
        var block = [Float](repeating: 0, count: 960)
        for round in 0..<4 {
            if round == 2 { expect(mixer.remove(SoundID(number: 0))) }
            mixer.render(to: &block, frames: 480, heard: SoundGrid.time(of: Int64(round * 480)), .unbroken)
        }
        expect(mixer.isSilent(SoundID(number: 0)))
    }

    /// A sound that is not rendered is removed without its fade. Otherwise its thread, and those of each layout loaded
    /// later, would stay until a sound server comes back.
    @Test func whatNobodyAsksForIsGoneWithoutAFade() throws {
        let folder = try Folder()
        let desk = try desk(folder, silence: 500_000_000)
        defer { desk.end() }
        _ = desk.voice.follow(desk.plan, .heard, horizon: .zero)
        desk.turn(to: 1)
        expect(desk.awaitVoice(6_000))
        desk.render(4_800)
        expect(desk.mixer.remove(SoundID(number: 0)))
        expect(!desk.mixer.isSilent(SoundID(number: 0)))
        expect(
            comesTrue {
                _ = desk.mixer.remove(SoundID(number: 0))
                return desk.mixer.isSilent(SoundID(number: 0))
            })
    }
}
