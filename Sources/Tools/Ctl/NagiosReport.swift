import Base

/// The health of a wall as plugins of Nagios, Icinga and their like report it: one line with figures, and a state that
/// is the exit status.
struct NagiosReport: Equatable {
    enum State: Int32 { case ok, warning, critical, unknown }

    let state: State
    let line: String

    /// `unknown` if there is no wall to ask, or it did not say how it is. `critical` if one listens and does not reply.
    init(_ state: State, _ text: String, _ figures: String = "") {
        // A bar begins the figures.
        let plain = text.split(whereSeparator: \.isNewline).joined(separator: " ").map { $0 == "|" ? "/" : $0 }
        (self.state, line) = (state, "QUADRILLE \("\(state)".uppercased()) - \(String(plain))\(figures)")
    }

    /// `health`: the property of that name.
    init(of health: PropertyValue?) {
        guard case .list(let ill)? = health?["ill"], case .list(let skipped)? = health?["skipped"] else {
            self.init(.unknown, "the wall did not report its health")
            return
        }
        // Value, warning above, critical above, minimum.
        let figures = " | ill=\(ill.count);;0;0 skipped=\(skipped.count);0;;0"
        let left = skipped.map { Self.named($0, $0["source"], $0["reason"]) }
        let dark = health?["display"] == .text("off") ? "; the display is off" : ""
        if !ill.isEmpty {
            let tiles = ill.map { Self.named($0, $0["state"], $0["reason"]) }
            self.init(
                .critical, "\(ill.count == 1 ? "1 tile is" : "\(ill.count) tiles are") ill: \(tiles.listed)", figures)
        } else if !left.isEmpty {
            self.init(
                .warning, "\(left.count == 1 ? "1 source is" : "\(left.count) sources are") skipped: \(left.listed)",
                figures)
        } else {
            self.init(.ok, "no tile is ill\(dark)", figures)
        }
    }

    /// "left: failed (no such file)"
    private static func named(_ entry: PropertyValue, _ what: PropertyValue?, _ reason: PropertyValue?) -> String {
        "\(entry["id"]?.asText ?? "?"): \(what?.asText ?? "?") (\(reason?.asText ?? "?"))"
    }
}

extension [String] {
    /// The first texts; the line stays short enough for a pager.
    fileprivate var listed: String {
        prefix(4).joined(separator: "; ") + (count > 4 ? "; and \(count - 4) more" : "")
    }
}
