/// Elements by their identities, in the order in which they came.
public struct Table<ID: Identity, Element>: Sequence {
    /// Rising.
    public private(set) var ids: [ID] = []
    /// The first one stands for every element that is not there; the others stand one place behind their identities. So a
    /// lookup is one access to one array, of which the compiler reads no more than the field that is asked for.
    private var elements: [Element]
    private var nextNumber = 0
    private let misses: Misses

    /// `missing` is what a lookup of an identity that is gone reads; what is written to it is lost. So a lookup that
    /// should not have been made costs what that element stands for, never the process.
    public init(missing: Element) { (misses, elements) = (Misses(missing), [missing]) }

    /// Lookups of identities that are gone; copies of a table share it. An object of its own keeps the table small:
    /// calls copy large structures.
    private final class Misses: @unchecked Sendable {
        let element: Element
        var count = 0
        init(_ element: Element) { self.element = element }
    }

    /// How often an element was looked up that is not there. It stays 0 unless there is a mistake in the program.
    public var missCount: Int { misses.count }

    public var count: Int { ids.count }

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
        let place = place(of: id)
        guard place > 0 else { return }
        ids.remove(at: place - 1)
        elements.remove(at: place)
    }

    public func contains(_ id: ID) -> Bool {
        let place = lowerBound(of: id)
        return place < ids.count && ids[place] == id
    }

    /// Reads a copy: a `_read` accessor lends the element, and Swift 6.3.1 reads freed memory where an optional with a
    /// payload is compared through what was lent.
    public subscript(id: ID) -> Element {
        @inline(__always) get { elements[place(of: id)] }
        _modify {
            let place = place(of: id)
            yield &elements[place]
            if place == 0 { elements[0] = misses.element }
        }
    }

    public func firstID(where fits: (Element) -> Bool) -> ID? {
        ids.indices.first { fits(elements[$0 + 1]) }.map { ids[$0] }
    }

    /// Lends each element to the body, without a copy.
    public func forEach(_ body: (Element) -> Void) {
        for place in elements.indices.dropFirst() { body(elements[place]) }
    }

    // As of any sequence, but no element is copied: that costs more than most conditions.

    public func contains(where fits: (Element) -> Bool) -> Bool {
        ids.indices.contains { fits(elements[$0 + 1]) }
    }

    public func allSatisfy(_ fits: (Element) -> Bool) -> Bool {
        ids.indices.allSatisfy { fits(elements[$0 + 1]) }
    }

    public func count(where fits: (Element) -> Bool) -> Int {
        ids.indices.count { fits(elements[$0 + 1]) }
    }

    public func makeIterator() -> IndexingIterator<ArraySlice<Element>> { elements.dropFirst().makeIterator() }

    /// In `elements`; 0 if it is gone, which is counted.
    private func place(of id: ID) -> Int {
        let place = lowerBound(of: id)
        if place < ids.count, ids[place] == id { return place + 1 }
        misses.count += 1
        return 0
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
