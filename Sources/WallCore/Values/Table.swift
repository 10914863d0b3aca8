/// Elements by their identities, in the order in which they came.
public struct Table<ID: Identity, Element>: Sequence {
    /// Rising.
    public private(set) var ids: [ID] = []
    private var elements: [Element] = []
    private var nextNumber = 0
    /// Stands for every element that is not there.
    private let missing: Element
    private let misses = Misses()

    /// `missing` is what a lookup of an identity that is gone reads; what is written to it is lost. So a lookup that
    /// should not have been made costs what that element stands for, never the process.
    public init(missing: Element) { self.missing = missing }

    /// Counts lookups of identities that are gone; copies of a table share it.
    private final class Misses: @unchecked Sendable { var count = 0 }

    /// How often an element was looked up that is not there. It stays 0 unless there is a mistake in the program.
    public var missCount: Int { misses.count }

    public var count: Int { elements.count }

    /// Makes the element that belongs to the next identity.
    @discardableResult
    public mutating func add(_ make: (ID) -> Element) -> ID {
        let id = ID(number: nextNumber)
        nextNumber += 1
        ids.append(id)
        elements.append(make(id))
        return id
    }

    public mutating func remove(_ id: ID) {
        guard let place = place(of: id) else { return }
        ids.remove(at: place)
        elements.remove(at: place)
    }

    public func contains(_ id: ID) -> Bool {
        let place = lowerBound(of: id)
        return place < ids.count && ids[place] == id
    }

    /// Reads a copy: a `_read` accessor lends the element, and Swift 6.3.1 reads freed memory where an optional with a
    /// payload is compared through what was lent.
    public subscript(id: ID) -> Element {
        @inline(__always) get {
            if let place = place(of: id) { return elements[place] }
            return missing
        }
        _modify {
            if let place = place(of: id) {
                yield &elements[place]
            } else {
                var lost = missing
                yield &lost
            }
        }
    }

    public func firstID(where fits: (Element) -> Bool) -> ID? { elements.firstIndex(where: fits).map { ids[$0] } }

    // As of any sequence, but no element is copied: that costs more than most conditions.

    public func contains(where fits: (Element) -> Bool) -> Bool { elements.indices.contains { fits(elements[$0]) } }

    public func allSatisfy(_ fits: (Element) -> Bool) -> Bool { elements.indices.allSatisfy { fits(elements[$0]) } }

    public func count(where fits: (Element) -> Bool) -> Int { elements.indices.count { fits(elements[$0]) } }

    public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }

    /// nil if it is gone, which is counted.
    private func place(of id: ID) -> Int? {
        let place = lowerBound(of: id)
        if place < ids.count, ids[place] == id { return place }
        misses.count += 1
        return nil
    }

    /// Where nothing was removed an identity stands at its number; else at most so far.
    private func lowerBound(of id: ID) -> Int {
        var (low, high) = (0, Swift.min(ids.count, id.number + 1))
        if high > 0, ids[high - 1] == id { return high - 1 }
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Table: Sendable where Element: Sendable {}
