import Foundation
import TestKit

extension Chapter {
    /// A clean build takes a minute and a half on both cores, so it is made only if BENCH_BUILD is set.
    static let build = Chapter(name: "build", title: "The program itself") { _ in
        let program = Program.path!
        let stripped = Scratch.path("stripped")
        defer { unlink(stripped) }
        try TestKit.run(["strip", "-o", stripped, program])
        var table = Table(["", ""])
        table.rows = [
            ["size of the binary, the Swift runtime inside", "\(megabytes(program)) MB"],
            ["stripped", "\(megabytes(stripped)) MB"],
        ]
        if ProcessInfo.processInfo.environment["BENCH_BUILD"] != nil {
            let scratch = try Scratch.newFolder("build")
            defer { try? FileManager.default.removeItem(atPath: scratch) }
            let began = RealTime.now
            try TestKit.run(
                [
                    "swift", "build", "-c", "release", "--static-swift-stdlib", "--product", "quadrille",
                    "--scratch-path", scratch,
                ], atMost: 600)
            table.rows.append(["a clean release build, once", "\((RealTime.now - began).text(0)) s"])
        } else {
            table.notes = ["`make bench BENCH_BUILD=1` also says how long a clean release build takes."]
        }
        return [table]
    }

    private static func megabytes(_ path: String) -> String {
        var status = stat()
        return stat(path, &status) == 0 ? (Double(status.st_size) / 1e6).text(1) : "?"
    }
}
