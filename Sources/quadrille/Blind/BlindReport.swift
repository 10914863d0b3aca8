import Base
import Player

/// Lines and JSON at the end of `blind`.
struct BlindReport {
    private let test: BlindTest
    /// Names to print, without secrets.
    private let a: String
    private let b: String

    init(_ test: BlindTest, a: String, b: String) {
        self.test = test
        (self.a, self.b) = (SourceName.withoutSecrets(a), SourceName.withoutSecrets(b))
    }

    /// Lines for standard output.
    var lines: [String] {
        let count = test.trials.count
        let rows = test.trials.enumerated().map { number, trial in
            "trial \(number + 1): X was \(name(trial.x)), the answer \(name(trial.answer)): "
                + "\(trial.isRight ? "right" : "wrong"), after \(fixed(trial.length.seconds, 1)) s"
        }
        let score =
            count == 0
            ? "no trial was answered"
            : "\(test.right) of \(count) right; probability of at least as many by chance: \(chance)"
        let rest = count < test.count ? ["ended before all of the \(test.count) trials were answered"] : []
        return ["A: \(a)", "B: \(b)"] + rows + rest + [score]
    }

    var json: [UInt8] {
        let trials = test.trials.map { trial -> PropertyValue in
            [
                "x": .text(trial.x.rawValue), "answer": .text(trial.answer.rawValue), "right": .flag(trial.isRight),
                "seconds": .number(trial.length.seconds),
            ]
        }
        return JSONWriter.line([
            "a": .text(a), "b": .text(b), "trials": .list(trials), "right": .integer(test.right),
            "probability": .number(test.probability),
        ])
    }

    private func name(_ clip: BlindTest.Clip) -> String { clip.rawValue.uppercased() }

    /// Probability of the score by chance, with three significant digits.
    private var chance: String {
        let least = 1e-9
        guard test.probability >= least else { return "less than \(fixed(least, 9))" }
        var places = 3, value = test.probability
        while value < 0.1 { (places, value) = (places + 1, value * 10) }
        return fixed(test.probability, places)
    }
}
