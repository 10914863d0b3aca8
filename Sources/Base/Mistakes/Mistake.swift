/// One mistake in a layout or a song, or an oddity.
public struct Mistake: Hashable, Sendable {
    public let position: TextPosition
    /// A path such as `tiles[1].play[0].rate`, `JSON`, or the header of a song with its "#".
    public let place: String
    /// Description of the mistake and of what would be right, on one line.
    public let text: String

    public init(at position: TextPosition, place: String, text: String) {
        (self.position, self.place, self.text) = (position, place, text)
    }

    public func rendered(path: String) -> String { "\(path):\(position.line):\(position.column): \(place): \(text)" }
}

/// The mistakes in a layout file: the first ones, and their number.
public struct Mistakes: Error, Equatable {
    /// Largest number of mistakes listed.
    public static let most = 100

    /// Mistakes in the order of the file.
    public let listed: [Mistake]
    public let count: Int

    public init(listed: [Mistake], count: Int) { (self.listed, self.count) = (listed, count) }

    /// Number of mistakes not listed.
    public var more: Int { count - listed.count }

    public func lines(path: String) -> [String] {
        listed.map { $0.rendered(path: path) } + (more > 0 ? ["\(path): and \(more.grouped) more"] : [])
    }
}

/// Collects the mistakes of one reading, on one thread. Each further mistake after the listed ones costs only a
/// comparison.
public final class MistakeList {
    /// In the order of the file after `sort`. Mistakes at one position stay in the order in which they were found.
    private var found: [Mistake] = []
    private var count = 0
    /// Position from which on mistakes are not listed.
    private var end = TextPosition(line: .max, column: .max)

    public init() {}

    public func add(_ text: @autoclosure () -> String, at position: TextPosition, place: @autoclosure () -> String) {
        count += 1
        guard position < end else { return }
        found.append(Mistake(at: position, place: place(), text: text()))
        if found.count >= 2 * Mistakes.most { sort() }
    }

    /// nil if there are none.
    public var mistakes: Mistakes? {
        sort()
        return count > 0 ? Mistakes(listed: found, count: count) : nil
    }

    private func sort() {
        let sorted = found.enumerated().sorted {
            ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
        }
        found = sorted.prefix(Mistakes.most).map(\.element)
        if found.count == Mistakes.most { end = found[Mistakes.most - 1].position }
    }
}
