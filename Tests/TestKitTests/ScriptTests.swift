import Foundation
import TestKit
import Testing

/// The project's scripts, where they could do harm or say what is not so.
@Suite struct ScriptTests {
    static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL.path

    // MARK: soak

    /// Forty samples and a hundred seams, changed in one place.
    private func verdict(
        memory: (Int) -> Int = { _ in 90_000 }, threads: (Int) -> Int = { _ in 9 }, files: (Int) -> Int = { _ in 17 },
        late: Int = 0, missed: Int = 0
    ) throws -> (status: Int32?, text: String) {
        let samples = (0..<40).map { "\($0 * 10) \(memory($0)) \(threads($0)) \(files($0))" }
        let seams = (0..<100).map { "{\"t\":1,\"event\":\"seam\",\"tile\":\"a\",\"late-ms\":\($0 < late ? 14.5 : 2)}" }
        let tiles = "\"tiles\":{\"a\":{\"presented\":9,\"missed\":9}}"
        let end =
            "{\"t\":9,\"event\":\"end\",\"presented\":1000,\"late\":0,\"missed\":\(missed),\"max-open\":4,\(tiles)}"
        let child = try Child([
            "\(Self.root)/scripts/soak-verdict", try Scratch.file("samples", samples.joined(separator: "\n") + "\n"),
            try Scratch.file("trace", (seams + [end]).joined(separator: "\n") + "\n"),
        ])
        return (child.wait(atMost: 20), child.output)
    }

    @Test func soakPassesWhatStaysAsItIs() throws {
        #expect(try verdict(memory: { 90_000 + $0 % 7 * 900 }, threads: { $0 % 5 == 0 ? 12 : 9 }).status == 0)
    }

    @Test func soakFailsForWhatGrows() throws {
        #expect(try verdict(memory: { 90_000 + $0 * 600 }).status == 1)
        #expect(try verdict(threads: { 9 + $0 / 8 }).status == 1)
        #expect(try verdict(files: { 17 + $0 / 4 }).status == 1)
        #expect(try verdict(late: 2).status == 1)
        #expect(try verdict(missed: 3).status == 1)
        #expect(try verdict(late: 1, missed: 2).status == 0)
    }

    /// Everything that was started for it runs in a session of its own, which is empty in the end.
    @Test(arguments: ["Ctrl+C", "SIGTERM"]) func soakLeavesNothingRunningWhenItIsEnded(_ way: String) throws {
        let binary = try #require(Program.path)
        let soak = try Child(["setsid", "\(Self.root)/scripts/soak", binary, "1"])
        #expect(Clock.wait(atMost: 60) { soak.output.split(separator: "\n").count >= 2 || soak.exitStatus != nil })
        func running() throws -> [String] {
            try run(["ps", "-s", "\(soak.pid)", "-o", "pid=,comm="]).split(separator: "\n").map(String.init)
        }
        defer {
            for process in (try? running()) ?? [] {
                _ = process.split(separator: " ").first.flatMap { pid_t($0) }.map { kill($0, SIGKILL) }
            }
        }
        #expect(try running().contains { $0.contains("quadrille") })
        // A terminal asks all processes.
        if way == "Ctrl+C" { kill(-soak.pid, SIGINT) } else { soak.signal(SIGTERM) }
        #expect(soak.wait(atMost: 10) == 130)
        #expect(Clock.wait(atMost: 3) { (try? running().isEmpty) ?? true }, "\((try? running()) ?? [])")
    }

    // MARK: set-up

    /// Runs it where only these commands can be found, and a few tools.
    private func setUp(_ purposes: [String], _ commands: [String: String], input: Child.Stream = .nothing) throws -> (
        status: Int32?, text: String
    ) {
        let folder = try Scratch.newFolder("commands")
        for (name, text) in commands {
            try "#!/bin/sh\n\(text)\n".write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
            chmod("\(folder)/\(name)", 0o755)
        }
        for tool in ["bash", "cat", "sed", "tr", "dpkg-query", "env", "printf"] {
            let path = try run(["sh", "-c", "command -v \(tool)"]).trimmingCharacters(in: .whitespacesAndNewlines)
            try? FileManager.default.createSymbolicLink(atPath: "\(folder)/\(tool)", withDestinationPath: path)
        }
        let child = try Child(
            ["\(folder)/bash", "\(Self.root)/scripts/set-up"] + purposes, environment: ["PATH": folder], input: input)
        return (child.wait(atMost: 30), child.output + child.errors)
    }

    private static let nothingInstalled = ["dpkg-query": "exit 1", "pkg-config": "exit 1", "cc": "exit 1"]

    @Test func setUpNeverRemovesAPackage() throws {
        let log = Scratch.path("apt.log")
        let apt = """
            echo "$@" >> \(log)
            case "$*" in *-s*) echo 'Inst pulseaudio'; echo 'Remv pipewire-audio [1.0]' ;; esac
            """
        let commands = Self.nothingInstalled.merging(["apt-get": apt, "id": "echo 0"]) { $1 }
        let result = try setUp(["test"], commands)
        #expect(result.status == 1)
        #expect(result.text.contains("apt would remove pipewire-audio"), "\(result.text)")
        let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(calls.allSatisfy { $0.contains("update") || $0.contains("-s ") }, "\(calls)")
    }

    @Test func setUpInstallsOnlyWhatIsMissing() throws {
        let log = Scratch.path("apt.log")
        let commands = Self.nothingInstalled.merging([
            "apt-get": "echo \"$@\" >> \(log)", "id": "echo 0", "Xvfb": "", "ffmpeg": "", "xdotool": "", "ps": "",
            "pactl": "", "blackbox": "", "openssl": "", "python3": "", "pipewire-pulse": "", "wireplumber": "",
            "dbus-run-session": "",
        ]) { $1 }
        let result = try setUp(["test"], commands)
        #expect(result.status == 0, "\(result.text)")
        // A desktop's PipeWire is what the tests use there.
        #expect(result.text.contains("Installing libx11-dev libxext-dev\n"), "\(result.text)")
        let last = try #require(try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").last)
        #expect(last.contains("--no-remove"))
    }

    @Test func setUpPassesWhatIsThereByOtherMeans() throws {
        let found = ["swift": "", "cc": "exit 0", "pkg-config": "exit 0", "dpkg-query": "exit 1"]
        let result = try setUp(["build"], found)
        #expect(result.status == 0 && result.text.isEmpty, "\(result.text)")
    }

    @Test func withoutRootAndSudoSetUpSaysInOneLineWhatIsMissing() throws {
        let result = try setUp(
            ["hidden"], Self.nothingInstalled.merging(["apt-get": "exit 9", "id": "echo 1000"]) { $1 })
        #expect(result.status == 1)
        #expect(
            result.text == "set-up: please have this installed: apt-get install --no-remove xvfb ffmpeg\n",
            "\(result.text)")
    }

    @Test(arguments: ["n", "y"]) func atATerminalSetUpAsksFirst(_ answer: String) throws {
        let log = Scratch.path("apt.log")
        let commands = Self.nothingInstalled.merging(["apt-get": "echo \"$@\" >> \(log)", "id": "echo 0"]) { $1 }
        var (master, terminal): (Int32, Int32) = (-1, -1)
        try #require(openpty(&master, &terminal, nil, nil, nil) == 0)
        defer { [master, terminal].forEach { close($0) } }
        try #require(write(master, answer + "\n", 2) == 2)
        let result = try setUp(["hidden"], commands, input: .descriptor(terminal))
        #expect(result.text.contains("xvfb ffmpeg"), "\(result.text)")
        #expect(result.status == (answer == "y" ? 0 : 1))
        #expect(FileManager.default.fileExists(atPath: log) == (answer == "y"))
    }
}
