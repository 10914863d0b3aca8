import Base
import Console
import Files

/// Three commands that work on this machine. `quadrille` prints them at a terminal if nothing is given.
enum FirstSteps {
    /// Number of commands that are printed.
    private static let count = 3

    /// Lines with the steps on this machine, from the working folder. `name`: the program as it was called.
    static func lines(calledAs name: String) -> [String] {
        let home = environment("HOME"), program = realName(ofFile: "/proc/self/exe")
        var steps: [[String]] = []
        func add(_ words: String, of files: [String] = [], _ what: String) {
            let command = ([name.quotedForShell] + (words.isEmpty ? [] : [words]) + files.map(\.quotedForShell))
            steps.append([command.joined(separator: " "), what])
        }
        if let demo = shipped("layouts/demo.json", beside: program) { add("", of: [demo], "the demo wall") }
        let folders = ["."] + (home.map { ["\($0)/Videos", "\($0)/Downloads"] } ?? [])
        let found = folders.lazy.map { ($0, MediaFolder(path: $0, depth: 0)?.files.count ?? 0) }.first { $0.1 > 0 }
        if let (folder, count) = found {
            add(
                "", of: [folder],
                count == 1 ? "the film in this folder" : "the \(count) media in this folder, in a grid")
        }
        let encodes = ["sharp", "coarse"].compactMap { shipped("assets/\($0).mp4", beside: program) }
        if encodes.count == 2 { add("compare", of: encodes, "two encodes of a film, in step, by a wipe") }
        add("--idle", "an empty wall: drop films on it")
        add("help check", "how to find out whether a wall will be seamless")
        add("--help", "all options and keys")
        return ["Quadrille plays many videos in one window. These commands work here:", ""]
            + aligned(Array(steps.prefix(count))).map { "  \($0)" }
            + ["", "h shows the keys while a wall plays, and q ends it. quadrille --help lists the options."]
    }

    /// Returns the path of a file that comes with the program; nil if it is not there. The program stands in bin/ of its
    /// prefix, or in .build/PLATFORM/release/ of a copy of the repository.
    private static func shipped(_ name: String, beside program: String?) -> String? {
        guard let program else { return nil }
        return ["../share/quadrille", "../../.."].lazy.compactMap { realPath("\(folder(of: program))\($0)/\(name)") }
            .first
    }
}
