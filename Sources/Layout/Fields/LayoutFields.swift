import Base

/// The values of one object, by key. Duplicate, unknown and ignored keys are left out.
struct LayoutFields {
    let node: LayoutNode
    /// Keys in the order of the file.
    private(set) var keys: [String] = []
    private let members: [JSONMember]
    /// Members by key, including keys that are not allowed here. `place`: index of the member.
    private var found: [String: (place: Int, isRight: Bool)] = [:]

    /// `complaint`: returns what is wrong with a key that is not allowed.
    init(
        node: LayoutNode, _ members: [JSONMember], if isRight: (String) -> Bool, else complaint: (String) -> String
    ) {
        (self.node, self.members) = (node, members)
        for (index, member) in members.enumerated() {
            let key = member.key
            if found[key] != nil {
                refuse(key: key, at: member.keyPosition, "given twice; once would be right")
                continue
            }
            let isIgnored = LayoutFields.isIgnored(key), isRight = !isIgnored && isRight(key)
            found[key] = (index, isRight)
            if isRight {
                keys.append(key)
            } else if !isIgnored {
                refuse(key: key, complaint(key))
            }
        }
    }

    subscript(key: String) -> LayoutNode? {
        guard let (index, isRight) = found[key], isRight else { return nil }
        return node.inner(members[index].value, place(of: key))
    }

    func has(_ key: String) -> Bool { found[key]?.isRight ?? false }

    /// True for keys that hold notes for other programs and for people.
    static func isIgnored(_ key: String) -> Bool { key == "$schema" || key.hasPrefix("x-") }

    /// The same in a JSON Schema.
    static let ignoredKeys = ("patternProperties", ["^(\\$schema$|x-)": .flag(true)] as PropertyValue)

    private func position(of key: String) -> TextPosition {
        guard let (index, _) = found[key] else { preconditionFailure("\(key) does not stand in \(node.place)") }
        return members[index].keyPosition
    }

    /// Notes that a key is not allowed where it is. `position`: nil for the first place of the key.
    func refuse(key: String, at position: TextPosition? = nil, _ text: @autoclosure () -> String) {
        node.notes.mistakes.add(text(), at: position ?? self.position(of: key), place: place(of: key))
    }

    func refuse(ifThere key: String, _ text: @autoclosure () -> String) { if has(key) { refuse(key: key, text()) } }

    /// Notes that a key of the object is missing.
    func drop(_ key: String, right: @autoclosure () -> String) {
        node.notes.mistakes.add("missing; \(right())", at: node.value.position, place: place(of: key))
    }

    /// Returns the one of two keys that comes later in the file.
    func later(_ a: String, _ b: String) -> String { position(of: a) < position(of: b) ? b : a }

    private func place(of key: String) -> String {
        let isPlain = !key.isEmpty && key.utf8.allSatisfy { isLetter($0) || isDigit($0) || "-_$".utf8.contains($0) }
        let name = isPlain ? key.cut() : "[\(key.quoted)]"
        return node.place.isEmpty ? name : isPlain ? "\(node.place).\(name)" : node.place + name
    }
}
