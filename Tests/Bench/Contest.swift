/// Players that are measured in turn, A B C A B C ..., so that all meet the same state of the machine.
struct Contest<Outcome> {
    struct Entrant {
        let name: String
        let run: () throws -> Outcome
    }

    private(set) var entrants: [Entrant] = []
    private(set) var outcomes: [[Outcome]] = []

    mutating func enter(_ name: String, _ run: @escaping () throws -> Outcome) {
        entrants.append(Entrant(name: name, run: run))
    }

    mutating func hold(rounds: Int, note: (Outcome) -> String = { _ in "" }) throws {
        outcomes = entrants.map { _ in [] }
        for round in 1...rounds {
            for (index, entrant) in entrants.enumerated() {
                let outcome = try entrant.run()
                outcomes[index].append(outcome)
                printLine("  round \(round): \(entrant.name) \(note(outcome))")
            }
        }
    }

    /// One figure of all runs of an entrant; empty where it did not take part.
    func sample(_ name: String, _ figure: (Outcome) -> Double) -> Sample {
        guard let index = entrants.firstIndex(where: { $0.name == name }) else { return Sample([]) }
        return Sample(outcomes[index].map(figure))
    }
}
