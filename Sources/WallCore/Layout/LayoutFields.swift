/// The values of one object, by key. Duplicate, unknown and ignored keys are not among them.
struct LayoutFields {
    let node: LayoutNode
    /// In the order of the file.
    private(set) var keys: [String] = []
    private var nodes: [String: LayoutNode] = [:]
    private var positions: [String: TextPosition] = [:]

    init(node: LayoutNode) { self.node = node }

    /// `complaint` gives nil for a key that may stand here.
    mutating func take(_ members: [JSONMember], complaint: (String) -> String?) {
        for member in members {
            let place = place(of: member.key)
            if positions[member.key] != nil {
                node.mistakes.add(
                    "said twice; once would be right", at: member.keyPosition, place: place)
                continue
            }
            positions[member.key] = member.keyPosition
            if LayoutObject.isIgnored(member.key) { continue }
            if let complaint = complaint(member.key) {
                node.mistakes.add(complaint, at: member.keyPosition, place: place)
                continue
            }
            keys.append(member.key)
            nodes[member.key] = LayoutNode(value: member.value, place: place, mistakes: node.mistakes)
        }
    }

    subscript(key: String) -> LayoutNode? { nodes[key] }

    func has(_ key: String) -> Bool { nodes[key] != nil }

    /// That a key stands where it must not.
    func refuse(key: String, _ text: String) {
        guard let position = positions[key] else { preconditionFailure("\(key) does not stand in \(node.place)") }
        node.mistakes.add(text, at: position, place: place(of: key))
    }

    /// That a key is missing, said of the object.
    func miss(_ key: String, right: String) {
        node.mistakes.add("missing; \(right)", at: node.value.position, place: place(of: key))
    }

    /// Of two keys the one that stands later.
    func later(_ a: String, _ b: String) -> String {
        guard let first = positions[a], let second = positions[b] else {
            preconditionFailure("\(a) and \(b) do not both stand in \(node.place)")
        }
        return first < second ? b : a
    }

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
