/// A value on the bus. Each case has exactly one type of D-Bus.
enum BusValue: Hashable, Sendable {
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    /// Path of an object.
    case path(String)
    case texts([String])
    case fields([BusField])

    /// The type as D-Bus writes it.
    var signature: String {
        switch self {
        case .flag: "b"
        case .integer: "x"
        case .number: "d"
        case .text: "s"
        case .path: "o"
        case .texts: "as"
        case .fields: "a{sv}"
        }
    }

    var asFlag: Bool? { if case .flag(let value) = self { value } else { nil } }
    /// nil for infinity and for what is no number (NaN), which no property takes.
    var asNumber: Double? { if case .number(let value) = self, value.isFinite { value } else { nil } }
    var asText: String? { if case .text(let value) = self { value } else { nil } }
}

/// A name and its value, in a dictionary.
struct BusField: Hashable, Sendable {
    let name: String
    let value: BusValue

    init(_ name: String, _ value: BusValue) { (self.name, self.value) = (name, value) }
}
