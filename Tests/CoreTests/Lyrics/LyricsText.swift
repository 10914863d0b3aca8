@testable import Base
@testable import Lyrics

extension Lyrics {
    /// Each line as "begin-end text|…", in milliseconds.
    var reported: [String] {
        func milliseconds(_ time: Time) -> Int { Int((time.seconds * 1000).rounded()) }
        return lines.map { line in
            line.syllables.map { "\(milliseconds($0.begin))-\(milliseconds($0.end)) \($0.text)" }.joined(separator: "|")
        }
    }
}
