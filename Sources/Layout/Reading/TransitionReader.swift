import Base

extension LayoutNode {
    /// Reads "cut", or a fade and its length. Notes a mistake and returns nil if it is neither.
    func transition(_ base: SourceBase) -> Transition? {
        let right = "\"cut\" or {\"fade\": seconds} would be right"
        if let word = string {
            if word == "cut" { return .cut }
            refuse(right: right)
            return nil
        }
        guard let fields = fields(of: .transition, right: right) else { return nil }
        var fade = FadeLayout.initial
        fields.read(into: &fade, base)
        return fade.length.map { $0 == .zero ? .cut : .fade($0) }
    }
}
