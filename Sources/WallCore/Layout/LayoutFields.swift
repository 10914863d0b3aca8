/// The values of one object, by key. Duplicate, unknown and ignored keys are not among them.
struct LayoutFields {
    let node: LayoutNode
    /// In the order of the file.
    private(set) var keys: [String] = []
    private let members: [JSONMember]
    /// By key, those that may not stand here too: which member it is.
    private var found: [String: (place: Int, isRight: Bool)] = [:]

    /// `complaint` says what is wrong with a key that is not right.
    init(
        node: LayoutNode, _ members: [JSONMember], if isRight: (String) -> Bool, else complaint: (String) -> String
    ) {
        (self.node, self.members) = (node, members)
        for (index, member) in members.enumerated() {
            let key = member.key
            if found[key] != nil {
                node.mistakes.add("said twice; once would be right", at: member.keyPosition, place: place(of: key))
                continue
            }
            let isIgnored = LayoutObject.isIgnored(key), isRight = !isIgnored && isRight(key)
            found[key] = (index, isRight)
            if isRight {
                keys.append(key)
            } else if !isIgnored {
                node.mistakes.add(complaint(key), at: member.keyPosition, place: place(of: key))
            }
        }
    }

    subscript(key: String) -> LayoutNode? {
        guard let (index, isRight) = found[key], isRight else { return nil }
        return LayoutNode(value: members[index].value, place: place(of: key), mistakes: node.mistakes)
    }

    func has(_ key: String) -> Bool { found[key]?.isRight ?? false }

    private func position(of key: String) -> TextPosition {
        guard let (index, _) = found[key] else { preconditionFailure("\(key) does not stand in \(node.place)") }
        return members[index].keyPosition
    }

    /// That a key stands where it must not.
    func refuse(key: String, _ text: @autoclosure () -> String) {
        node.mistakes.add(text(), at: position(of: key), place: place(of: key))
    }

    /// That a key is missing, said of the object.
    func drop(_ key: String, right: @autoclosure () -> String) {
        node.mistakes.add("missing; \(right())", at: node.value.position, place: place(of: key))
    }

    /// Of two keys the one that stands later.
    func later(_ a: String, _ b: String) -> String { position(of: a) < position(of: b) ? b : a }

    private func place(of key: String) -> String {
        let isPlain =
            !key.isEmpty
            && key.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "-" || $0 == "_" || $0 == "$")
            }
        let name = isPlain ? key.cut() : "[\(key.quoted)]"
        return node.place.isEmpty ? name : isPlain ? "\(node.place).\(name)" : node.place + name
    }
}
