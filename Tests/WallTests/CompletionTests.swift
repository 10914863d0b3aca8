import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Completion in real shells. Tests/CommandLineTests has the candidates.
    @Suite struct Completions {
        private static let root = ManualPage.repository.path

        /// Types lines into an interactive shell on a terminal of its own. After each line, Ctrl+G has the shell print
        /// what the line has become.
        private static let typist = #"""
            import json, os, pty, re, select, sys

            def until(pattern):
                global seen
                while not (found := re.search(pattern, seen, re.DOTALL)):
                    if not select.select([terminal], [], [], 20)[0]:
                        sys.exit("no answer: " + repr(seen))
                    part = os.read(terminal, 65536)
                    # fish 4 asks which terminal this is, and waits for the answer.
                    for _ in re.findall(rb"\x1b\[0?c", part):
                        os.write(terminal, b"\x1b[?62c")
                    seen += part
                seen = seen[found.end():]
                return found

            child, terminal = pty.fork()
            if child == 0:
                os.execvp(sys.argv[1], sys.argv[1:])
            seen = b""
            until(rb"rea--dy")
            lines = []
            for line in json.load(sys.stdin):
                os.write(terminal, b"\x15" + line.encode() + b"\x07")
                lines.append(until(rb"\[\[\[(.*?)\]\]\]")[1].decode())
            print(json.dumps(lines))
            """#

        private func lines(of shell: [String], after typed: [String], in folder: String) throws -> [String] {
            let program = URL(fileURLWithPath: try #require(Program.path)).deletingLastPathComponent().path
            let child = try Child(
                ["python3", "-c", Self.typist] + shell,
                environment: [
                    "PATH": "\(program):\(ProcessInfo.processInfo.environment["PATH"] ?? "")", "HOME": folder,
                    "TERM": "dumb", "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder,
                    "XDG_RUNTIME_DIR": folder, "DISPLAY": nil, "WAYLAND_DISPLAY": nil,
                ], folder: folder,
                input: .file(
                    try Scratch.file("typed", String(decoding: try JSONEncoder().encode(typed), as: UTF8.self))))
            let status = child.wait(atMost: 60)
            expect(status == 0, "\(child.errors)")
            return try JSONDecoder().decode([String].self, from: Data(child.output.utf8))
        }

        private func folder() throws -> String {
            let folder = try Scratch.newFolder("completion")
            let films = "\(folder)/My Films"
            try FileManager.default.createDirectory(atPath: films, withIntermediateDirectories: true)
            let tiles = ["left", "le ft:2", "right", "quo$(te)`"].map { #"{ "id": "\#($0)", "play": "clip.mp4" }"# }
            let layout = #"{ "tiles": [\#(tiles.joined(separator: ", "))] }"#
            let files = [
                "clip.mp4": "", "clip.doc": "", "other.MKV": "", "x:y.mp4": "", "only.bin": "", "my wall.json": layout,
                "My Films/a b.mp4": "",
            ]
            for (name, text) in files {
                try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
            }
            return folder
        }

        /// Typed texts, and the lines that they become. Bash and fish agree on these.
        private static let cases: KeyValuePairs = [
            "quadrille --audio-m\t": "quadrille --audio-mode ",
            "quadrille --audio-mode mi\t": "quadrille --audio-mode mix ",
            "quadrille --audio-mode=m\t": "quadrille --audio-mode=mix ",
            "quadrille comp\t": "quadrille compare ",
            "quadrille compare --mode bl\t": "quadrille compare --mode blink ",
            "quadrille help re\t": "quadrille help render ",
            "quadrille --trace-events seam,tr\t": "quadrille --trace-events seam,trouble ",
            // Tiles of the layout that the line names.
            "quadrille my\\ wall.json --focus r\t": "quadrille my\\ wall.json --focus right ",
            "quadrille \"my wall.json\" --focus le\\ \t": "quadrille \"my wall.json\" --focus le\\ ft:2 ",
            "quadrille my\\ wall.json --focus le\\ ft:\t": "quadrille my\\ wall.json --focus le\\ ft:2 ",
            "quadrille my\\ wall.json --focus \"le \t": "quadrille my\\ wall.json --focus \"le ft:2\" ",
            "quadrille ~/my\\ wall.json --focus=ri\t": "quadrille ~/my\\ wall.json --focus=right ",
            // Files: layouts and media, folders, any.
            "quadrille cl\t": "quadrille clip.mp4 ",
            "quadrille ot\t": "quadrille other.MKV ",
            "quadrille on\t": "quadrille only.bin ",
            "quadrille my\t": "quadrille my\\ wall.json ",
            "quadrille compare M\t": "quadrille compare My\\ Films/",
            "quadrille My\\ Films/\t": "quadrille My\\ Films/a\\ b.mp4 ",
            "quadrille \"My Films/\t": "quadrille \"My Films/a b.mp4\" ",
            "quadrille x:\t": "quadrille x:y.mp4 ",
            "quadrille log M\t": "quadrille log My\\ Films/",
            "quadrille log cl\t": "quadrille log cl",
            "quadrille --trace=on\t": "quadrille --trace=only.bin ",
            "quadrille align --write m\t": "quadrille align --write my\\ wall.json ",
            "quadrille calibrate cl\t": "quadrille calibrate cl",
        ]

        /// A name never becomes a command. Each shell quotes in its own way.
        private static let quotedByBash: KeyValuePairs = [
            "quadrille my\\ wall.json --focus quo\t": #"quadrille my\ wall.json --focus quo\$\(te\)\` "#,
            "quadrille my\\ wall.json --focus \"quo\t": #"quadrille my\ wall.json --focus "quo\$(te)\`" "#,
            "quadrille my\\ wall.json --focus 'quo\t": "quadrille my\\ wall.json --focus 'quo$(te)`' ",
        ]
        private static let quotedByFish: KeyValuePairs = [
            "quadrille my\\ wall.json --focus quo\t": #"quadrille my\ wall.json --focus quo\$\(te\)` "#,
            "quadrille my\\ wall.json --focus 'quo\t": "quadrille my\\ wall.json --focus 'quo$(te)`' ",
        ]

        private func expectCases(
            _ shell: [String], _ quoted: KeyValuePairs<String, String>, in folder: String
        ) throws {
            let cases = Self.cases.map { ($0.key, $0.value) } + quoted.map { ($0.key, $0.value) }
            let lines = try lines(of: shell, after: cases.map(\.0), in: folder)
            for ((typed, expected), line) in zip(cases, lines) {
                expect(line, equals: expected, "\(shell[0]): \(typed)")
            }
        }

        @Test func bashCompletes() throws {
            let settings = try Scratch.file(
                "rc.bash",
                """
                bind 'set enable-bracketed-paste off'
                bind -x '"\\C-g": printf "[[[%s]]]\\n" "$READLINE_LINE"'
                PS1=
                source '\(Self.root)/assets/completions/quadrille.bash'
                echo rea--dy
                """)
            try expectCases(["bash", "--noprofile", "--rcfile", settings, "-i"], Self.quotedByBash, in: try folder())
        }

        @Test func fishCompletes() throws {
            let settings = """
                function fish_prompt; end
                bind \\cg 'printf "[[[%s]]]\\n" (commandline)'
                source '\(Self.root)/assets/completions/quadrille.fish'
                echo rea--dy
                """
            try expectCases(["fish", "--no-config", "-i", "-C", settings], Self.quotedByFish, in: try folder())
        }

        @Test func displaysAreCompletedByTheirNumbers() throws {
            let stage = try Stage(320, 180)
            let child = try Child(
                [try #require(Program.path), "--complete", "--display", ""], environment: stage.display.environment)
            expect(child.wait(atMost: 20), equals: 0)
            expect(child.output.hasPrefix("0\t"), "\(child.output)")
            expect(child.output.split(separator: "\n").count, equals: 1)
        }
    }
}
