import Foundation
import TestKit

/// Where the contests are held: one private display for all, the film, and whoever is installed.
struct Hall: @unchecked Sendable {
    let display: Display
    let library: Library
    let peers: Peers
    let rounds: Int

    init(rounds: Int) throws {
        // Tests take the newest build; a benchmark of anything but a release would mislead.
        setenv("QUADRILLE", "\(FileManager.default.currentDirectoryPath)/.build/release/quadrille", 0)
        guard let path = Program.path, access(path, X_OK) == 0 else {
            throw Skipped(description: "no release build of quadrille here, and QUADRILLE names no other")
        }
        display = try Display(width: 1280, height: 720)
        library = Library()
        peers = Peers()
        self.rounds = rounds
    }
}
