@testable import Base
@testable import Commands

/// Draws layouts from `layouts/layout.schema.json`, and changes layouts that were drawn before. A key that the schema
/// gains is drawn without a change here.
struct WalkLayouts {
    private let schema: PropertyValue
    var random: Seeded
    /// Number of values until one is replaced by nonsense; nil while the layout is to be valid.
    private var valuesUntilNonsense: Int?
    /// Names of sources. Names of sources, tiles and groups are few, so that one layout shares them with the next.
    private let sources: [String]
    static let tileNames = ["a", "b", "c", "d", "e", "f"]
    static let groupNames = ["main", "second", "third"]
    static let breakNames = ["ad", "news"]

    init(schema: PropertyValue, sources: [String], seed: UInt64) {
        (self.schema, self.sources) = (schema, sources)
        random = Seeded(state: seed)
    }

    /// Returns a new layout.
    mutating func layout() -> PropertyValue {
        valuesUntilNonsense = random.onceIn(12) ? random.upTo(40) : nil
        return normalised(value(of: schema, named: "layout", depth: 0))
    }

    /// Returns the layout with one to three parts drawn anew, removed or added.
    mutating func edited(_ layout: PropertyValue) -> PropertyValue {
        valuesUntilNonsense = random.onceIn(12) ? random.upTo(6) : nil
        var edited = layout
        for _ in 0...random.upTo(3) { edited = editedOnce(edited) }
        return normalised(edited)
    }

    private mutating func editedOnce(_ layout: PropertyValue) -> PropertyValue {
        guard case .object(var fields) = layout, case .list(var tiles)? = layout["tiles"], !tiles.isEmpty else {
            return self.layout()
        }
        let place = random.upTo(tiles.count)
        let tile = definition("tile")
        switch random.upTo(10) {
        case 0: tiles.remove(at: place)
        case 1: tiles.insert(value(of: tile, named: "tile", depth: 2), at: place)
        case 2: tiles.swapAt(place, random.upTo(tiles.count))
        case 3: fields = changed(fields, by: schema)
        case 4: tiles[place] = value(of: tile, named: "tile", depth: 2)
        default:
            if case .object(let own) = tiles[place] { tiles[place] = .object(changed(own, by: tile)) }
        }
        fields.removeAll { $0.name == "tiles" }
        return .object(fields + [PropertyField("tiles", .list(tiles))])
    }

    /// Draws the value of one of the schema's keys anew, or removes the key.
    private mutating func changed(_ fields: [PropertyField], by schema: PropertyValue) -> [PropertyField] {
        guard case .object(let properties)? = schema["properties"] else { return fields }
        // Most edits concern what plays and how it goes on.
        let often = ["play", "compare", "group", "on-error", "loop", "offset", "transition", "groups", "breaks"]
        var known = properties.filter { $0.name != "tiles" && $0.name != "id" }
        if random.onceIn(2) { known = known.filter { often.contains($0.name) } }
        guard !known.isEmpty else { return fields }
        let property = known[random.upTo(known.count)]
        var fields = fields.filter { $0.name != property.name }
        if random.onceIn(4), !["play", "compare"].contains(property.name) { return fields }
        fields.append(PropertyField(property.name, value(of: property.value, named: property.name, depth: 3)))
        return fields
    }

    // MARK: values by the schema

    private func definition(_ name: String) -> PropertyValue { schema["$defs"]?[name] ?? .object([]) }

    private mutating func value(of schema: PropertyValue, named name: String, depth: Int) -> PropertyValue {
        if let left = valuesUntilNonsense {
            valuesUntilNonsense = left > 0 ? left - 1 : nil
            if left == 0 { return nonsense() }
        }
        if let known = knownValue(named: name) { return known }
        if case .text(let path)? = schema["$ref"] {
            let last = String(path.split(separator: "/").last ?? "")
            // "#/$defs/item/properties/src"
            let parts = path.split(separator: "/").map(String.init)
            var target: PropertyValue = self.schema
            for part in parts.dropFirst() { target = target[part] ?? .object([]) }
            return value(of: target, named: last, depth: depth)
        }
        if case .list(let choices)? = schema["enum"] { return choices[random.upTo(choices.count)] }
        if let constant = schema["const"] { return constant }
        if case .list(let choices)? = schema["anyOf"], schema["properties"] == nil, schema["type"] == nil {
            return value(of: choices[random.upTo(choices.count)], named: name + "?", depth: depth)
        }
        switch schema["type"]?.asText {
        case "object": return object(schema, named: name, depth: depth)
        case "array": return list(schema, named: name, depth: depth)
        case "string": return .text(text(schema))
        case "boolean": return .flag(random.onceIn(2))
        case "integer": return .integer(Int(number(schema, isWhole: true)))
        case "number": return .number(number(schema, isWhole: false))
        default: return .null
        }
    }

    /// Values that a schema cannot describe: names that must exist elsewhere, and pairs of values that must fit.
    private mutating func knownValue(named name: String) -> PropertyValue? {
        func any<Value>(_ values: [Value]) -> Value { values[random.upTo(values.count)] }
        let seconds = [0, 0.000001, 0.04, 0.3, 0.5, 1, 1.5, 2, 3, 7]
        switch name {
        case "source", "src", "source?": return .text(any(sources))
        case "group": return .text(any(Self.groupNames))
        case "focus": return .text(any(Self.tileNames))
        case "time": return .number(any(seconds))
        case "every": return .number(any([1, 1.5, 3]))
        case "rotate": return .number(any([0.1, 0.7, 4]))
        case "fade": return .number(any([0.000001, 0.04, 0.3, 2]))
        case "duration": return .number(any([0.000001, 0.04, 0.5, 2]))
        case "signedTime", "offset": return .number(any(seconds) * any([-1, 1]))
        case "in": return .number(any([0, 0.000001, 0.1, 0.5]))
        case "out": return .number(any([0.50001, 0.6, 1, 2.5, 100_000_000]))
        // Fewer pipelines than compared tiles would be a mistake.
        case "pipelines": return any([.integer(4), .integer(6), .text("auto"), .integer(2), .integer(1)])
        case "cell": return .list([.integer(random.upTo(3)), .integer(random.upTo(3))])
        case "span": return .list([.integer(1 + random.upTo(2)), .integer(1 + random.upTo(2))])
        case "rows", "columns": return .integer(4 + random.upTo(2))
        case "gap", "margin": return .integer(random.upTo(4))
        case "rect":
            return .list(
                any([[0, 0, 1, 1], [0.5, 0.25, 0.5, 0.5], [0.99, 0.99, 0.00001, 0.00001]]).map { .number($0) })
        case "crop":
            return .list(
                any([
                    [0, 0, 1, 1], [0, 0, 0.5, 0.5], [0.3, 0.3, 0.05, 0.05], [0.999, 0.5, 0.00001, 0.00001],
                    [8, 6, 64, 36],
                ]).map { .number($0) })
        case "size": return .list([.integer(64 + random.upTo(600)), .integer(64 + random.upTo(300))])
        default: return nil
        }
    }

    private mutating func object(_ schema: PropertyValue, named name: String, depth: Int) -> PropertyValue {
        var fields: [PropertyField] = []
        if name == "groups" {
            for group in Self.groupNames where random.onceIn(2) {
                fields.append(PropertyField(group, value(of: definition("group"), named: "group object", depth: depth)))
            }
            return .object(fields)
        }
        guard case .object(let properties)? = schema["properties"] else { return .object([]) }
        var required: Set<String> = []
        if case .list(let names)? = schema["required"] { required = Set(names.compactMap(\.asText)) }
        if case .list(let ways)? = schema["anyOf"] ?? schema["oneOf"] {
            if case .list(let names)? = ways[random.upTo(ways.count)]["required"] {
                required.formUnion(names.compactMap(\.asText))
            }
        }
        // Few keys are drawn together, so that keys that exclude each other seldom meet.
        let rarity = depth == 0 ? 2 : 5
        for property in properties where required.contains(property.name) || random.onceIn(rarity) {
            fields.append(
                PropertyField(property.name, value(of: property.value, named: property.name, depth: depth + 1)))
        }
        if valuesUntilNonsense != nil, random.onceIn(20) { fields.append(PropertyField("no-such-key", .null)) }
        return .object(fields)
    }

    private mutating func list(_ schema: PropertyValue, named name: String, depth: Int) -> PropertyValue {
        if case .list(let parts)? = schema["prefixItems"] {
            return .list(parts.map { value(of: $0, named: "", depth: depth + 1) })
        }
        let fewest = schema["minItems"]?.asInteger ?? 0, most = schema["maxItems"]?.asInteger ?? Int.max
        let count = min(most, fewest + random.upTo(name == "tiles" && depth < 2 ? 5 : 3))
        // The tiles of a break and the members of a comparison are named by their ids.
        if name == "tiles", depth > 1 {
            return .list((0..<count).map { _ in .text(Self.tileNames[random.upTo(Self.tileNames.count)]) })
        }
        let items = schema["items"] ?? .object([])
        return .list(
            (0..<count).map { _ in
                if name == "compare", random.onceIn(2) {
                    return .text(Self.tileNames[random.upTo(Self.tileNames.count)])
                }
                return value(of: items, named: name == "tiles" ? "tile" : "", depth: depth + 1)
            })
    }

    private mutating func text(_ schema: PropertyValue) -> String {
        let pattern = schema["pattern"]?.asText ?? ""
        if pattern.contains("fA-F") { return "#102030" }
        if pattern.contains("24:00") { return "24:00" }
        if pattern.contains("[0-5][0-9]") { return "12:00" }
        if pattern.contains("[0-9]{4}-") { return "2026-02-28" }
        if pattern.contains("A-Za-z]{3}") { return "mon-fri" }
        return ["x", "two words", "\u{E9}\u{1F600}", String(repeating: "long ", count: 30)][random.upTo(4)]
    }

    private mutating func number(_ schema: PropertyValue, isWhole: Bool) -> Double {
        let least = schema["minimum"]?.asNumber ?? schema["exclusiveMinimum"]?.asNumber.map { $0 + 0.001 } ?? 0
        let most = schema["maximum"]?.asNumber ?? 100
        switch random.upTo(8) {
        case 0: return least
        case 1: return most
        default:
            let near = min(most, least + (isWhole ? 8 : 2))
            let drawn = Double.random(in: least...max(least, near), using: &random)
            return isWhole ? drawn.rounded(.down) : drawn
        }
    }

    private mutating func nonsense() -> PropertyValue {
        [
            .null, .flag(true), .integer(-1), .integer(Int.max), .number(1e300), .number(-0.5), .text(""),
            .text("\u{0}"), .text("../../.."), .list([]), .object([]), .list([.list([.null])]),
            .object([PropertyField("src", .integer(1))]),
        ][random.upTo(13)]
    }

    // MARK: values that must fit

    /// Makes ids unique, and removes keys that exclude each other.
    private mutating func normalised(_ layout: PropertyValue) -> PropertyValue {
        guard case .object(var fields) = layout else { return layout }
        var used: Set<String> = []
        for place in fields.indices {
            switch fields[place].name {
            case "tiles":
                guard case .list(let tiles) = fields[place].value else { continue }
                fields[place].value = .list(tiles.prefix(Self.tileNames.count).map { tile($0, &used) })
            case "breaks":
                guard case .list(let breaks) = fields[place].value else { continue }
                fields[place].value = .list(
                    zip(breaks, Self.breakNames).map { entry, name in
                        guard case .object(let own) = entry else { return entry }
                        return .object(
                            own.filter { $0.name != "name" }.map { PropertyField($0.name, fitted($0.value)) }
                                + [PropertyField("name", .text(name))])
                    })
            default: break
            }
        }
        // A break and the focus name existing tiles.
        func isThere(_ id: PropertyValue) -> Bool { id.asText.map { used.contains($0) } ?? true }
        for place in fields.indices {
            guard case .list(let entries) = fields[place].value, fields[place].name == "breaks" else {
                if fields[place].name == "audio", case .object(let own) = fields[place].value {
                    fields[place].value = .object(own.filter { $0.name != "focus" || isThere($0.value) })
                }
                continue
            }
            fields[place].value = .list(
                entries.map { entry in
                    guard case .object(let own) = entry else { return entry }
                    return .object(
                        own.compactMap { field in
                            guard field.name == "tiles", case .list(let ids) = field.value else { return field }
                            var seen: Set<PropertyValue> = []
                            let there = ids.filter { isThere($0) && seen.insert($0).inserted }
                            return there.isEmpty ? nil : PropertyField(field.name, .list(there))
                        })
                })
        }
        fields = fields.map { $0.name == "tiles" ? PropertyField("tiles", playing($0.value)) : $0 }
        // The grid contains every cell that is drawn.
        if !fields.contains(where: { $0.name == "grid" && $0.value["rows"] != nil && $0.value["columns"] != nil }) {
            fields.removeAll { $0.name == "grid" }
            fields.append(
                PropertyField(
                    "grid", .object([PropertyField("columns", .integer(4)), PropertyField("rows", .integer(4))])))
        }
        // Most walks have no schedule.
        if !random.onceIn(20) { fields.removeAll { $0.name == "schedule" } }
        return .object(fields)
    }

    /// A tile compares tiles that play, or sources: never one that compares.
    private mutating func playing(_ tiles: PropertyValue) -> PropertyValue {
        guard case .list(let all) = tiles else { return tiles }
        var groups: [String: String] = [:]
        for tile in all where tile["compare"] == nil {
            if let id = tile["id"]?.asText { groups[id] = tile["group"]?.asText ?? "main" }
        }
        return .list(
            all.map { tile in
                guard case .object(let fields) = tile, case .list(let members)? = tile["compare"] else { return tile }
                var group: String?
                let fitting = members.map { member -> PropertyValue in
                    guard let name = member.asText, Self.tileNames.contains(name) else { return member }
                    // All members that are tiles belong to one group.
                    guard let own = groups[name], group == nil || own == group else {
                        return .text(sources[random.upTo(sources.count)])
                    }
                    group = own
                    return member
                }
                return .object(fields.map { $0.name == "compare" ? PropertyField("compare", .list(fitting)) : $0 })
            })
    }

    private mutating func tile(_ tile: PropertyValue, _ used: inout Set<String>) -> PropertyValue {
        guard case .object(var fields) = tile else { return tile }
        var id = tile["id"]?.asText ?? ""
        if !Self.tileNames.contains(id) || used.contains(id) {
            let free = Self.tileNames.filter { !used.contains($0) }
            id = free[random.upTo(free.count)]
        }
        used.insert(id)
        fields.removeAll { $0.name == "id" }
        if fields.contains(where: { $0.name == "compare" }), fields.contains(where: { $0.name == "play" }) {
            fields.removeAll { $0.name == (random.onceIn(2) ? "play" : "compare") }
        }
        if !fields.contains(where: { ["compare", "play"].contains($0.name) }) {
            fields.append(PropertyField("play", .text(sources[random.upTo(sources.count)])))
        }
        if fields.contains(where: { $0.name == "rect" }) { fields.removeAll { ["cell", "span"].contains($0.name) } }
        if fields.contains(where: { $0.name == "compare" }) {
            fields.removeAll { $0.name == "transition" }
        } else {
            fields.removeAll { ["mode", "gain", "at", "angle"].contains($0.name) }
        }
        return .object([PropertyField("id", .text(id))] + fields.map { PropertyField($0.name, fitted($0.value)) })
    }

    /// Removes keys that exclude each other: in an item with segments, and in sound with stems.
    private func fitted(_ value: PropertyValue) -> PropertyValue {
        switch value {
        case .list(let values): return .list(values.map(fitted))
        case .object(var fields):
            if fields.contains(where: { $0.name == "segments" }) {
                fields.removeAll { ["in", "out", "duration"].contains($0.name) }
                if !fields.contains(where: { $0.name == "src" }) {
                    fields.insert(PropertyField("src", .text(sources[0])), at: 0)
                }
            }
            if fields.contains(where: { $0.name == "stems" }) {
                fields.removeAll { ["src", "track"].contains($0.name) }
            }
            return .object(fields.map { PropertyField($0.name, fitted($0.value)) })
        default: return value
        }
    }
}

extension PropertyValue {
    /// Reads a value from JSON text; nil if the text is not JSON.
    init?(json: String) {
        guard let value = try? JSONParser.parse(Array(json.utf8)) else { return nil }
        self.init(value)
    }
}
