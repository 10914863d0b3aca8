import Foundation
import TestKit

/// Where the contests are held: one private display for all, the film, and whoever is installed.
struct Hall: @unchecked Sendable {
    let display: Display
    let library: Library
    let peers: Peers
    let rounds: Int

    init(rounds: Int) throws {
        guard Program.path != nil else { throw Skipped(description: "build quadrille, or name it in QUADRILLE") }
        display = try Display(width: 1280, height: 720)
        library = Library()
        peers = Peers()
        self.rounds = rounds
    }
}
