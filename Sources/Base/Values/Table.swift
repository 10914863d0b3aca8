/// Elements by their identities, in the order in which they were added.
///
/// A lookup of an identity that is gone returns a placeholder, and is counted. A wrong lookup therefore spoils one
/// tile, and the wall goes on. All functions are inlinable, so that other targets read a field of a large element
/// without a copy of the element.
public struct Table<ID: Identity, Element>: Sequence {
    /// Identities in rising order.
    @usableFromInline var known: [ID] = []
    /// Element 0 is returned for identities that are gone. The others are at the index of their identity plus one. A
    /// lookup is one access to one array, and the compiler reads only the requested field.
    @usableFromInline var elements: [Element]
    @usableFromInline var nextNumber = 0
    @usableFromInline let misses: Misses

    /// `missing`: element that is read for identities that are gone. Writes to it are lost, so a wrong lookup has no
    /// effect on other elements and never traps.
    @inlinable public init(missing: Element) { (misses, elements) = (Misses(missing), [missing]) }

    /// Counts lookups of identities that are gone; copies of a table share the count. A separate object keeps the table
    /// small, because calls copy large structures.
    @usableFromInline
    final class Misses: @unchecked Sendable {
        @usableFromInline let element: Element
        @usableFromInline var count = 0
        @inlinable init(_ element: Element) { self.element = element }
    }

    /// Number of lookups of identities that are gone. More than 0 means a bug.
    @inlinable public var missCount: Int { misses.count }

    /// In rising order.
    @inlinable public var ids: [ID] { known }

    @inlinable public var count: Int { known.count }

    /// Adds the element that `make` returns for the next identity.
    @inlinable @discardableResult
    public mutating func add(_ make: (ID) -> Element) -> ID {
        let id = ID(number: nextNumber)
        nextNumber += 1
        known.append(id)
        elements.append(make(id))
        return id
    }

    @inlinable public mutating func remove(_ id: ID) {
        let place = place(of: id)
        guard place > 0 else { return }
        known.remove(at: place - 1)
        elements.remove(at: place)
    }

    @inlinable public func contains(_ id: ID) -> Bool {
        let place = lowerBound(of: id)
        return place < known.count && known[place] == id
    }

    /// Returns a copy. A `_read` accessor would lend the element, and Swift 6.3.1 reads freed memory when an optional
    /// with a payload is compared in a lent element.
    @inlinable public subscript(id: ID) -> Element {
        @inline(__always) get { elements[place(of: id)] }
        _modify {
            let place = place(of: id)
            yield &elements[place]
            if place == 0 { elements[0] = misses.element }
        }
    }

    @inlinable public func firstID(where fits: (Element) -> Bool) -> ID? {
        known.indices.first { fits(elements[$0 + 1]) }.map { known[$0] }
    }

    /// Lends each element to the body, without a copy.
    @inlinable public func forEach(_ body: (Element) -> Void) {
        for place in elements.indices.dropFirst() { body(elements[place]) }
    }

    // Same as in any sequence, but without copies: copying an element costs more than most conditions.

    @inlinable public func contains(where fits: (Element) -> Bool) -> Bool {
        known.indices.contains { fits(elements[$0 + 1]) }
    }

    @inlinable public func allSatisfy(_ fits: (Element) -> Bool) -> Bool {
        known.indices.allSatisfy { fits(elements[$0 + 1]) }
    }

    @inlinable public func count(where fits: (Element) -> Bool) -> Int {
        known.indices.count { fits(elements[$0 + 1]) }
    }

    @inlinable public func makeIterator() -> IndexingIterator<ArraySlice<Element>> {
        elements.dropFirst().makeIterator()
    }

    /// Index in `elements`; 0 if the identity is gone, which is counted.
    @inlinable func place(of id: ID) -> Int {
        let place = lowerBound(of: id)
        if place < known.count, known[place] == id { return place + 1 }
        misses.count += 1
        return 0
    }

    /// Index of `id` in `known`, or of the next larger identity. Equal to its number if nothing was removed, else
    /// smaller.
    @inlinable func lowerBound(of id: ID) -> Int {
        var (low, high) = (0, Swift.min(known.count, id.number + 1))
        if high > 0, known[high - 1] == id { return high - 1 }
        while low < high {
            let middle = (low + high) / 2
            if known[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Table: Sendable where Element: Sendable {}
