import Expectations
import Foundation
import TestKit
import Testing

/// Tests the project's scripts, where they could do harm or print something wrong.
@Suite struct ScriptTests {
    static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL.path

    /// Writes the commands from a process of its own. If this process wrote them, a child that another test starts
    /// could hold the file open for writing. The system would then refuse to run it.
    private func makeCommands(_ commands: [String: String], in folder: String) throws {
        let script = """
            cd "$1"; shift
            while [ $# -gt 0 ]; do printf '#!/bin/sh\\n%s\\n' "$2" > "$1"; chmod 755 "$1"; shift 2; done
            """
        _ = try run(["sh", "-c", script, "sh", folder] + commands.flatMap { [$0.key, $0.value] })
    }

    // MARK: set-up

    /// Runs set-up with a PATH that has only these commands and a few tools.
    private func setUp(_ purposes: [String], _ commands: [String: String], input: Child.Stream = .nothing) throws -> (
        status: Int32?, text: String
    ) {
        let folder = try Scratch.newFolder("commands")
        try makeCommands(commands, in: folder)
        for tool in ["bash", "cat", "sed", "tr", "dpkg-query", "env", "printf"] {
            let path = try run(["sh", "-c", "command -v \(tool)"]).trimmingCharacters(in: .whitespacesAndNewlines)
            try? FileManager.default.createSymbolicLink(atPath: "\(folder)/\(tool)", withDestinationPath: path)
        }
        // `SETUP=yes make test` is a documented form, so the variable may be in the tests' own environment.
        let child = try Child(
            ["\(folder)/bash", "\(Self.root)/scripts/set-up"] + purposes,
            environment: ["PATH": folder, "SETUP": nil], input: input)
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
        expect(result.status, equals: 1)
        expect(result.text.contains("apt would remove pipewire-audio"), "\(result.text)")
        let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        expect(calls.allSatisfy { $0.contains("update") || $0.contains("-s ") }, "\(calls)")
    }

    @Test func setUpInstallsOnlyWhatIsMissing() throws {
        let log = Scratch.path("apt.log")
        let commands = Self.nothingInstalled.merging([
            "apt-get": "echo \"$@\" >> \(log)", "id": "echo 0", "Xvfb": "", "ffmpeg": "", "xdotool": "", "xrandr": "",
            "ps": "", "ffplay": "",
            "pactl": "", "blackbox": "", "openssl": "", "python3": "", "pipewire-pulse": "", "wireplumber": "",
            "dbus-run-session": "", "dbus-daemon": "", "dbus-send": "", "playerctl": "", "mandoc": "", "fish": "",
        ]) { $1 }
        let result = try setUp(["test"], commands)
        expect(result.status, equals: 0, "\(result.text)")
        // The tests use a desktop's PipeWire if there is one.
        expect(result.text.contains("Installing libx11-dev libxext-dev\n"), "\(result.text)")
        let last = try #require(try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").last)
        expect(last.contains("--no-remove"))
    }

    /// Since FFmpeg 9, Debian has ffplay in a package of its own.
    @Test(arguments: [("[ $2 = ffplay ]", "ffplay"), ("exit 1", "ffmpeg")])
    func setUpInstallsTheFirstPackageThatTheReleaseHas(_ cache: String, _ package: String) throws {
        let commands = Self.nothingInstalled.merging([
            "apt-get": "exit 0", "apt-cache": cache, "id": "echo 0", "ffmpeg": "",
        ]) { $1 }
        let result = try setUp(["test"], commands)
        expect(result.text.contains("Installing xvfb \(package) xdotool "), "\(result.text)")
    }

    @Test func setUpPassesWhatIsThereByOtherMeans() throws {
        let found = ["swift": "", "cc": "exit 0", "pkg-config": "exit 0", "dpkg-query": "exit 1", "python3": ""]
        let result = try setUp(["build"], found)
        expect(result.status == 0 && result.text.isEmpty, "\(result.text)")
    }

    @Test func withoutRootAndSudoSetUpSaysInOneLineWhatIsMissing() throws {
        let result = try setUp(
            ["hidden"], Self.nothingInstalled.merging(["apt-get": "exit 9", "id": "echo 1000"]) { $1 })
        expect(result.status, equals: 1)
        expect(
            result.text, equals: "set-up: please have this installed: apt-get install --no-remove xvfb ffmpeg\n")
    }

    @Test(arguments: ["n", "y"]) func atATerminalSetUpAsksFirst(_ answer: String) throws {
        let log = Scratch.path("apt.log")
        let commands = Self.nothingInstalled.merging(["apt-get": "echo \"$@\" >> \(log)", "id": "echo 0"]) { $1 }
        var (master, terminal): (Int32, Int32) = (-1, -1)
        try #require(openpty(&master, &terminal, nil, nil, nil) == 0)
        defer { [master, terminal].forEach { close($0) } }
        try #require(write(master, answer + "\n", 2) == 2)
        let result = try setUp(["hidden"], commands, input: .descriptor(terminal))
        expect(result.text.contains("xvfb ffmpeg"), "\(result.text)")
        expect(result.status, equals: (answer == "y" ? 0 : 1))
        expect(FileManager.default.fileExists(atPath: log), equals: (answer == "y"))
    }

    // MARK: lint, everywhere

    /// Runs a script with these commands before those of the machine in PATH.
    private func runScript(_ name: String, _ arguments: [String] = [], _ commands: [String: String]) throws -> (
        status: Int32?, text: String
    ) {
        let folder = try Scratch.newFolder("commands")
        try makeCommands(commands, in: folder)
        let path = "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let child = try Child(["bash", "\(Self.root)/scripts/\(name)"] + arguments, environment: ["PATH": path])
        return (child.wait(atMost: 30), child.output + child.errors)
    }

    /// Swift 6.0's formatter wants other spaces and crashes. Swift 6.2.3's reports the version 602.0.0.
    @Test(arguments: [("600.0.0", false), ("601.0.0", false), ("602.0.0", true), ("6.1", false), ("6.3.1", true)])
    func theFormIsJudgedByFormattersThatKnowIt(_ version: String, _ judges: Bool) throws {
        let swift = "case \"$*\" in *--version) echo \(version) ;; *) echo judged; exit 3 ;; esac"
        let result = try runScript("lint", ["Sources"], ["swift": swift])
        expect(result.status, equals: (judges ? 3 : 0), "\(result.text)")
        expect(result.text.contains(judges ? "judged" : "was not checked"), "\(result.text)")
    }

    @Test(arguments: [
        ("1000", [], "only root"), ("0", ["woody"], "no such run: woody"), ("0", ["sid/gcc"], "no such run: sid/gcc"),
    ])
    func everywhereSaysWhyItMakesNoChroot(_ user: String, _ arguments: [String], _ word: String) throws {
        let commands = ["id": "echo \(user)", "unshare": "exit 9", "mmdebstrap": "exit 9", "debootstrap": "exit 9"]
        let result = try runScript("everywhere", arguments, commands)
        expect(result.status, equals: 1)
        expect(result.text.contains(word) && result.text.split(separator: "\n").count == 1, "\(result.text)")
    }
}
