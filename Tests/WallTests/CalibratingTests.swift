import Expectations
import Foundation
import TestKit
import Testing

/// The command that measures how late what is sung arrives.
extension WallTests.Takes {
    private func calibrate(
        _ server: SoundServer, _ arguments: [String] = [], atMost patience: Double = 40
    ) throws -> (status: Int32?, output: String, errors: String, kept: [String: Any]?) {
        let child = try Child(
            [try #require(Program.path), "calibrate"] + arguments,
            environment: server.environment.merging(["XDG_STATE_HOME": server.home + "/state"]) { $1 })
        let status = child.wait(atMost: patience)
        let data = FileManager.default.contents(atPath: server.home + "/state/quadrille/calibration.json")
        let kept = data.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
        return (status, child.output, child.errors, kept)
    }

    private func late(_ kept: [String: Any]?, _ output: String, _ input: String) -> Double? {
        let takes = kept?["takes"] as? [String: [String: [String: Any]]]
        return takes?[output]?[input]?["late"] as? Double
    }

    @Test func whatTheServerKnowsIsNotLate() throws {
        let server = try SoundServer()
        let (status, output, errors, kept) = try calibrate(server)
        expect(status, equals: 0, "\(errors)")
        let measured = try #require(late(kept, "wall", "wall.monitor"))
        print(output)
        // Measured: 0.6 to 1.1 ms alone, 1.3 ms beside other walls on a busy host.
        expect(abs(measured), below: 0.003, "\(measured)")
        expect(output.contains("--forget"))
        try expect(calibrate(server, ["--forget"]).kept == nil)
    }

    @Test func silenceIsRefused() throws {
        let server = try SoundServer()
        _ = try server.addOutput("mic")
        let silent = try calibrate(server, ["--output", "wall", "--input", "mic.monitor"])
        expect(silent.status == 1 && silent.kept == nil)
        expect(silent.errors.contains("no click is heard"), "\(silent.errors)")
    }

    @Test func noiseIsRefused() throws {
        let server = try SoundServer()
        _ = try server.addOutput("mic")
        let noise = try NoiseSong(seconds: 30)
        let player = try Child(["paplay", "--device=mic", noise.path], environment: server.environment)
        defer { player.end() }
        let noisy = try calibrate(server, ["--output", "wall", "--input", "mic.monitor"])
        expect(noisy.status == 1 && noisy.kept == nil)
        expect(noisy.errors.contains("too much noise"), "\(noisy.errors)")
    }

    @Test(arguments: ["--output", "--input"]) func aDeviceThatIsNotThereIsNamedAtOnce(option: String) throws {
        let server = try SoundServer()
        // Listening would last longer than the limit.
        let (status, _, errors, kept) = try calibrate(server, [option, "nosuch"], atMost: 10)
        expect(status == 1 && kept == nil)
        expect(errors.contains(option == "--output" ? "no output nosuch" : "no such sound input"), "\(errors)")
    }

    @Test func twoAtOnceAreOneTooMany() throws {
        let server = try SoundServer()
        let environment = server.environment.merging(["XDG_STATE_HOME": server.home + "/state"]) { $1 }
        let first = try Child([try #require(Program.path), "calibrate"], environment: environment)
        expect(RealTime.wait(atMost: 5) { first.errors.contains("be quiet") })
        let second = try Child([try #require(Program.path), "calibrate"], environment: environment)
        expect(second.wait(atMost: 5) == 1 && second.errors.contains("another calibrate"), "\(second.errors)")
        kill(first.pid, SIGTERM)
        expect(first.wait(atMost: 5) != nil)
    }
}
