import Base

/// Reads `stems`, the files that are heard together with an item's frames.
struct StemReader {
    let base: SourceBase
    static let most = 16

    func stems(_ node: LayoutNode, beside fields: LayoutFields) -> ItemAudio.Stems? {
        for key in ["src", "track"] where fields.has(key) {
            fields.refuse(
                key: key,
                key == "src"
                    ? "not allowed here; with \"stems\", \"src\" belongs to each stem"
                    : "not allowed here; with \"stems\", the first sound of each file is heard")
        }
        guard let elements = node.elements(atMost: Self.most, "stems"), !elements.isEmpty else {
            node.refuse(right: "a list such as [{\"name\": \"vocals\", \"src\": \"v.ogg\"}] would be right")
            return nil
        }
        var names: Set<String> = []
        let stated = Set(elements.compactMap { $0.value["name"]?.string })
        var stems = ItemAudio.Stems([])
        for (place, element) in elements.enumerated() {
            guard let stem = stem(element, place, stated, &names) else { continue }
            stems.files.append(stem)
        }
        fields.read(into: &stems, base)
        return stems.files.isEmpty ? nil : stems
    }

    private func stem(_ node: LayoutNode, _ place: Int, _ stated: Set<String>, _ names: inout Set<String>) -> ItemAudio
        .Stem?
    {
        guard let fields = node.fields(of: .stem, right: "an object with \"src\" would be right") else { return nil }
        let generated = (place + 1...place + Self.most + 1).lazy.map { "stem\($0)" }.first {
            !names.contains($0) && !stated.contains($0)
        }
        var stem = ItemAudio.Stem(generated ?? "", "")
        if let name = fields["name"], let text = name.text(right: "a name that is not empty would be right") {
            stem.name = text
            if text.contains("/") { name.refuse(right: "a name without \"/\" would be right") }
            if names.contains(text) { name.refuse("another stem has this name; a name of its own would be right") }
        }
        names.insert(stem.name)
        fields.read(into: &stem, base)
        return stem
    }
}
