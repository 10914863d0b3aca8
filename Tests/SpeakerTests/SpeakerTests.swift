import Base
import Expectations
import Foundation
import Heard
import TestKit
import Testing
import Threads

@testable import Speaker

/// A tone whose phase encodes the time at which each sample was meant to be heard.
private final class ToneMaker: @unchecked Sendable {
    private let state = Locked(State())
    struct State {
        var first: Time?
        var made: Int64 = 0
        var breaks = 0
        var last = Time.zero
        var frequency = 500.0
    }

    /// Takes effect from the next sample on, which replaces one made before.
    func change(to frequency: Double) { state.locked { $0.frequency = frequency } }

    func rewind(_ frames: Int) -> Int {
        state.locked { state in
            state.made -= Int64(frames)
            return frames
        }
    }

    func render(_ target: UnsafeMutablePointer<Float>, _ frames: Int, _ heard: Time, _ continuity: StreamContinuity) {
        state.locked { state in
            if continuity == .broken { state.breaks += 1 }
            if state.first == nil { state.first = heard }
            for index in 0..<frames {
                let turns = Double(state.made + Int64(index)) * state.frequency / 48_000
                let sample = Float(0.3 * sin(2 * Double.pi * turns))
                (target[index * 2], target[index * 2 + 1]) = (sample, sample)
            }
            state.made += Int64(frames)
            state.last = heard
        }
    }

    var now: State { state.locked { $0 } }
}

@Suite(.serialized) struct SpeakerTests {
    private func playing(_ tone: ToneMaker, on server: SoundServer) throws -> (Speaker, Locked<[Speaker.Notice]>) {
        let notices = Locked<[Speaker.Notice]>([])
        let speaker = Speaker(title: "a tone", server: server.address) {
            tone.render($0, $1, $2, $3)
        } rewind: { _ in
            0
        } notice: { notice in
            notices.locked { $0.append(notice) }
        }
        return (try #require(speaker), notices)
    }

    @Test func whoMutesTheStreamOrItsOutputIsNoticed() throws {
        let server = try SoundServer()
        func mixer(_ command: String...) throws -> String {
            try run(["pactl"] + command, environment: server.environment, atMost: 10)
        }
        let tone = ToneMaker()
        let (speaker, notices) = try playing(tone, on: server)
        defer { speaker.stop() }
        var streams = ""
        let isThere = RealTime.wait(atMost: 5) {
            streams = (try? mixer("list", "short", "sink-inputs")) ?? ""
            return !streams.isEmpty
        }
        expect(isThere)
        let stream = try #require(streams.split(separator: "\t").first.map(String.init))
        /// Every mute and unmute, in order.
        func heard() -> [Bool] {
            RealTime.pass(0.4)
            return notices.locked { notices in
                notices.compactMap { notice in
                    switch notice {
                    case .outputMuted: false
                    case .outputAudible: true
                    default: nil
                    }
                }
            }
        }
        _ = try mixer("set-sink-input-mute", stream, "1")
        expect(heard(), equals: [false])
        _ = try mixer("set-sink-mute", "wall", "1")
        _ = try mixer("set-sink-input-mute", stream, "0")
        expect(heard(), equals: [false])
        _ = try mixer("set-sink-mute", "wall", "0")
        expect(heard(), equals: [false, true])
    }

    @Test func aToneArrivesUnbroken() throws {
        let server = try SoundServer()
        let microphone = try Microphone(server)
        let tone = ToneMaker()
        let (speaker, notices) = try playing(tone, on: server)
        expect(RealTime.wait(atMost: 5) { tone.now.made > 24_000 })
        let began = RealTime.now
        RealTime.pass(4)
        let inputs = try run(["pactl", "list", "sink-inputs"], environment: server.environment)
        for property in ["application.name = \"Quadrille\"", "media.role = \"video\"", "media.title = \"a tone\""] {
            expect(inputs.contains(property))
        }
        speaker.stop()
        let heard = microphone.stop().between(began, began + 3.5)
        expect(notices.locked { $0 }, equals: [.connected])
        expect(abs(heard.amplitude(of: 500) - 0.3), below: 0.02, "\(heard.amplitude(of: 500))")
        expect(heard.longestSilence(), below: 0.001)
        let steps = zip(heard.left, heard.left.dropFirst()).map { abs(Int($0) - Int($1)) }
        expect(steps.max() ?? 0, below: Int(0.3 * 32768 * 2 * Double.pi * 500 / 48_000 * 1.1))
    }

    @Test func aChangeIsHeardLongBeforeTheServerHasPlayedWhatItHolds() throws {
        let server = try SoundServer()
        let microphone = try Microphone(server)
        let tone = ToneMaker()
        let speaker = Speaker(title: "a tone", server: server.address) {
            tone.render($0, $1, $2, $3)
        } rewind: {
            tone.rewind($0)
        } notice: { _ in
        }
        expect(RealTime.wait(atMost: 5) { tone.now.made > 48_000 })
        tone.change(to: 1000)
        let asked = RealTime.now
        try #require(speaker).revise()
        RealTime.pass(1)
        speaker?.stop()
        let heard = microphone.stop().between(asked - 0.5, asked + 0.7)
        let first = heard.course(of: 1000, window: 0.005).first { $0.amplitude > 0.2 }
        print("changed after", ((first?.time ?? .infinity) - asked) * 1000, "ms")
        expect((first?.time ?? .infinity) - asked, below: 0.04)
        expect(heard.longestSilence(), below: 0.001)
    }

    @Test func aServerThatGoesAwayIsFoundAgain() throws {
        var server: SoundServer? = try SoundServer()
        let tone = ToneMaker()
        let (speaker, notices) = try playing(tone, on: server!)
        expect(RealTime.wait(atMost: 5) { tone.now.made > 4_800 })
        server!.end()
        expect(RealTime.wait(atMost: 5) { notices.locked { $0.count } == 2 })
        let home = server!.home
        let again = try SoundServer(in: home)
        let before = tone.now.made
        let back = RealTime.now
        expect(RealTime.wait(atMost: 3) { tone.now.made > before + 4_800 })
        print("sound is back after", RealTime.now - back, "s")
        speaker.stop()
        again.end()
        server = nil
        let reported = notices.locked { $0 }
        expect(reported.first == .connected && reported.last == .connected && reported.count == 3)
    }

    @Test func withoutAServerItSaysSoOnce() {
        let notices = Locked<[Speaker.Notice]>([])
        let began = RealTime.now
        let speaker = Speaker(title: "nobody", server: "unix:/nowhere/native") { _, _, _, _ in
        } rewind: { _ in
            0
        } notice: { notice in
            notices.locked { $0.append(notice) }
        }
        expect(RealTime.now - began, below: 0.2)
        expect(RealTime.wait(atMost: 5) { !notices.locked { $0.isEmpty } })
        RealTime.pass(1)
        speaker?.stop()
        expect(speaker != nil && notices.locked { $0.count } == 1)
    }
}
