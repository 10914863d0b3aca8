import Base

extension LayoutNode {
    /// Reads "cut", or a fade and its length. Notes a mistake and returns nil if it is neither.
    func transition() -> Transition? {
        let right = "\"cut\" or {\"fade\": seconds} would be right"
        if let word = string {
            if word == "cut" { return .cut }
            refuse(right: right)
            return nil
        }
        guard let fields = fields(of: .transition, right: right) else { return nil }
        guard let node = fields["fade"] else {
            if !fields.has("fade") { fields.drop("fade", right: "a time up to 2 s would be right") }
            return nil
        }
        return node.time(from: .zero, to: Transition.longest).map { $0 == .zero ? .cut : .fade($0) }
    }
}
