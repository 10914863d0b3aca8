import Base

/// Meaning of the values of a YUV frame as colours.
public struct Colorimetry: Hashable, Sendable {
    public var matrix: Matrix
    public var range: Range
    public enum Matrix: Sendable { case bt601, bt709, bt2020 }
    public enum Range: Sendable { case limited, full }
    public init(_ matrix: Matrix, _ range: Range) { (self.matrix, self.range) = (matrix, range) }

    /// nil for a matrix that only swscale knows.
    public init?(_ source: SourceColorimetry) {
        let range: Range = source.range == .full ? .full : .limited
        switch source.matrix {
        case .bt601: self.init(.bt601, range)
        case .bt709: self.init(.bt709, range)
        case .bt2020: self.init(.bt2020, range)
        case .rgb, .other: return nil
        }
    }
}
