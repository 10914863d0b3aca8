extension Item {
    /// One stretch of one source.
    public struct Segment: Sendable, Hashable {
        /// An absolute path, a path relative to the working directory, or a URL. It can be opened as it is.
        public var source: String
        public var start = Time.zero
        /// nil means the end of the source.
        public var end: Time?
        public var rate = Rate.one
        /// Duration of a still image among other segments; nil means the item's.
        public var duration: Time?
        /// Time in the song at which the segment begins, from which the item's other sound and its lyrics count; nil
        /// means `start`.
        public var songStart: Time?
        public init(source: String) { self.source = source }

        /// Name of the source for display, without passwords.
        public var name: String { SourceName.withoutSecrets(source) }
    }

    /// Segments in the order in which they are played. There is always a first one.
    public struct Segments: Sendable, Hashable {
        public var first: Segment
        /// Segments after the first.
        private var others: [Segment]

        public init(_ first: Segment, _ others: [Segment] = []) { (self.first, self.others) = (first, others) }

        /// nil if there are none.
        public init?(_ segments: some Sequence<Segment>) {
            var iterator = segments.makeIterator()
            guard let first = iterator.next() else { return nil }
            self.init(first, Array(IteratorSequence(iterator)))
        }

        public var last: Segment { others.last ?? first }

        public mutating func append(_ segment: Segment) { others.append(segment) }
    }
}

extension Item.Segments: RandomAccessCollection, MutableCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { others.count + 1 }

    public subscript(index: Int) -> Item.Segment {
        get { index == 0 ? first : others[index - 1] }
        set { if index == 0 { first = newValue } else { others[index - 1] = newValue } }
    }
}
