import Foundation
import TestKit

/// The setup of all contests: one private display, the film, and the installed players.
struct Hall: @unchecked Sendable {
    let display: Display
    let library: Library
    let peers: Peers
    let rounds: Int

    init(rounds: Int) throws {
        // Tests run the newest build; a benchmark of anything but a release would mislead.
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
