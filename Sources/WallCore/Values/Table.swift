/// Elements by their identities, in the order in which they came.
public struct Table<ID: Identity, Element>: Sequence {
    /// Rising.
    public private(set) var ids: [ID] = []
    private var elements: [Element] = []
    private var nextNumber = 0

    public init() {}

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
        let place = place(of: id)
        ids.remove(at: place)
        elements.remove(at: place)
    }

    public func contains(_ id: ID) -> Bool {
        let place = lowerBound(of: id)
        return place < ids.count && ids[place] == id
    }

    /// Of an element that is there.
    public subscript(id: ID) -> Element {
        _read { yield elements[place(of: id)] }
        _modify { yield &elements[place(of: id)] }
    }

    public func firstID(where fits: (Element) -> Bool) -> ID? { elements.firstIndex(where: fits).map { ids[$0] } }

    // As of any sequence, but no element is copied: that costs more than most conditions.

    public func contains(where fits: (Element) -> Bool) -> Bool { elements.indices.contains { fits(elements[$0]) } }

    public func allSatisfy(_ fits: (Element) -> Bool) -> Bool { elements.indices.allSatisfy { fits(elements[$0]) } }

    public func count(where fits: (Element) -> Bool) -> Int { elements.indices.count { fits(elements[$0]) } }

    public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }

    private func place(of id: ID) -> Int {
        let place = lowerBound(of: id)
        precondition(place < ids.count && ids[place] == id, "there is no \(id)")
        return place
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
