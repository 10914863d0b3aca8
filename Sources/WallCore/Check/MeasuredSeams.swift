/// What a trace says of one tile's seams.
public struct MeasuredSeams: Equatable, Sendable {
    public var count = 0
    /// Those for which a reason stands there.
    public var late = 0
    /// In milliseconds.
    public var worst = 0.0
    /// Each once, in their order.
    public var reasons: [String] = []

    public init() {}

    /// By tile, of the lines of a trace; nil: a line is no JSON, or there is none.
    public static func read(_ trace: [UInt8], tiles: [String]) -> [MeasuredSeams]? {
        var all = tiles.map { _ in MeasuredSeams() }
        var lines = 0
        for line in trace.split(separator: UInt8(ascii: "\n")) {
            guard let value = try? JSONParser.parse(Array(line)), case .object(let members) = value.content else {
                return nil
            }
            lines += 1
            func member(_ key: String) -> JSONValue.Content? { members.first { $0.key == key }?.value.content }
            guard case .string("seam")? = member("event"), case .string(let id)? = member("tile"),
                let tile = tiles.firstIndex(of: id)
            else { continue }
            all[tile].count += 1
            if case .number(let late, _)? = member("late-ms") { all[tile].worst = max(all[tile].worst, late) }
            guard case .string(let reason)? = member("reason") else { continue }
            all[tile].late += 1
            if !all[tile].reasons.contains(reason) { all[tile].reasons.append(reason) }
        }
        return lines == 0 ? nil : all
    }
}
