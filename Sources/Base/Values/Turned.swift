extension Size {
    /// The size after a turn.
    public func turned(_ turn: Turn) -> Size {
        switch turn {
        case .none, .half: self
        case .quarter, .threeQuarters: Size(height, width)
        }
    }
}

extension Fractions {
    /// The same part after the frame was turned clockwise.
    public func turned(_ turn: Turn) -> Fractions {
        switch turn {
        case .none: self
        case .quarter: Fractions(max(0, 1 - (y + height)), x, height, width)
        case .half: Fractions(max(0, 1 - (x + width)), max(0, 1 - (y + height)), width, height)
        case .threeQuarters: Fractions(y, max(0, 1 - (x + width)), height, width)
        }
    }

    /// The same part after the frame was mirrored.
    public func flipped(_ flip: Flip) -> Fractions {
        switch flip {
        case .none: self
        case .horizontal: Fractions(max(0, 1 - (x + width)), y, width, height)
        case .vertical: Fractions(x, max(0, 1 - (y + height)), width, height)
        }
    }
}
