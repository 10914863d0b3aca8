import Expectations
import Foundation
import Testing

import enum TestKit.Samples

@testable import Base
@testable import Heard
@testable import Media

@Suite struct SampleGuardTests {
    /// Mends one block and returns it.
    private func mended(_ samples: [Float], by sampleGuard: inout SampleGuard) -> (samples: [Float], wasWrong: Bool) {
        samples.withUnsafeBufferPointer { sampleGuard.mended($0) } ?? (samples, false)
    }

    @Test(
        arguments: [
            ([0.5, -1, 4, -8], false, [0.5, -1, 4, -8]), ([0.5, .nan, .infinity, -.infinity], true, [0.5, 0, 0, 0]),
            ([0.5, 3e38, -3e38, 1], true, [0.5, 0, 0, 1]),
        ] as [([Float], Bool, [Float])])
    func whatIsNoNumberBecomesSilence(given: [Float], wasWrong: Bool, expected: [Float]) {
        var sampleGuard = SampleGuard()
        let result = mended(given, by: &sampleGuard)
        expect(result.samples == expected && result.wasWrong == wasWrong, "\(result)")
    }

    @Test func anAbsurdSoundIsLimitedToFullScaleAndRecovers() {
        var sampleGuard = SampleGuard()
        let absurd = mended([Float](repeating: 1e4, count: 960), by: &sampleGuard)
        expect(absurd.wasWrong && absurd.samples.allSatisfy { abs($0) <= 1.0001 })
        // 80 dB in two seconds, without a step of more than 6 dB.
        var last: Float = 0
        for _ in 0..<100 {
            let block = mended([Float](repeating: 0.5, count: 960), by: &sampleGuard)
            expect(!block.wasWrong && block.samples.allSatisfy { $0 >= last })
            last = block.samples.last ?? 0
        }
        expect(last, equals: 0.5)
    }

    /// A second of 500 Hz with ten wrong samples in its middle, as a film's decoder, or a WAV of floats, gives them.
    private func tone(_ folder: Folder, _ name: String, _ wrong: String, rate: Int = 48_000) throws -> String {
        let sound = "if(between(t\\,0.5\\,\(0.5 + 10 / Double(rate)))\\,\(wrong)\\,0.3*sin(2*PI*500*t))"
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=\(sound):s=\(rate):d=2", "-c:a",
            name.hasSuffix("64.wav") ? "pcm_f64le" : "pcm_f32le", name,
        ])
        return folder.file(name)
    }

    @Test(
        arguments: [
            ("a.wav", "1/0", 48_000), ("a.wav", "-1/0", 44_100), ("a.wav", "0/0", 44_100), ("64.wav", "0/0", 48_000),
            ("64.wav", "1e300", 44_100), ("a.wav", "10000", 48_000), ("a.wav", "1/0", 8_000),
        ] as [(String, String, Int)])
    func aWrongSampleSpoilsNoOther(name: String, wrong: String, rate: Int) throws {
        let folder = try Folder()
        let path = try tone(folder, name, wrong, rate: rate)
        let reader = try SoundReader.open(SoundSource(path), deadline: Deadline())
        let heard = try readSound(reader).left
        expect(reader.hasMended)
        expect(heard.allSatisfy { $0.isFinite && abs($0) <= 1.3 })
        expect(abs(Samples.amplitude(heard[72_000..<90_000], 500) - 0.3), below: 0.01)
    }

    private func part(_ number: Int, _ path: String, level: Float = 1) -> SoundScene.Part {
        var clock = Clock(position: .zero, rate: .one)
        clock.run(at: .zero)
        var run = SoundRun(source: path, start: .zero, end: .seconds(2))
        run.level = level
        return SoundScene.Part(
            sound: SoundID(number: number), plan: SoundPlan(runs: [run], clock: clock), gain: 1)
    }

    /// A voice beside it keeps its level, whatever the wrong one does, and each source is reported once.
    @Test(arguments: [("1/0", 1), ("0/0", 1), ("0/0", 0), ("10000", 1)] as [(String, Float)])
    func oneBadFilmSilencesNoOther(wrong: String, level: Float) throws {
        let folder = try Folder()
        let bad = try tone(folder, "bad.wav", wrong)
        try folder.ffmpeg(["-f", "lavfi", "-i", "aevalsrc=0.3*sin(2*PI*900*t):s=48000:d=2", "good.wav"])
        var soundScene = SoundScene(title: "")
        soundScene.parts = [part(0, bad, level: level), part(1, folder.file("good.wav"))]
        let mix = FilmMix(beginning: .zero)
        let heard = Samples.left(of: mix.mix(soundScene, until: .seconds(2)))
        expect(heard.allSatisfy { $0.isFinite && abs($0) <= 0.99 })
        // The mix is limited for the ten samples, and comes back in half a second.
        for begin in stride(from: 48_000, to: 90_000, by: 4_800) {
            let level = Samples.amplitude(heard[begin..<begin + 4_800], 900)
            expect(abs(level - 0.3), below: 0.01, "at \(begin)")
        }
        let reported = mix.takeMended()
        expect(reported.map(\.source) == [bad] && reported.map(\.sound.number) == [0], "\(reported)")
        expect(mix.takeMended().isEmpty)
    }

    @Test func theLimiterComesBackFromAnything() {
        var limiter = Limiter()
        for peak in [Float.infinity, .nan, 1e30] { _ = limiter.gains(nextPeak: peak) }
        var last: Float = 0
        for _ in 0..<6_000 { last = limiter.gains(nextPeak: 0.5).last }
        expect(last, equals: 1)
    }
}
