import Base

// Places of words over a tile's frame, and of what announces them.
extension MarksPlaces {
    /// Area for words over the frame, which the bar, the label and the notes leave free. The bar and the states have
    /// their room while they are hidden, too, so that words stay where they are. `foot`: area at the wall's lower edge
    /// that is taken.
    public func words(_ position: LyricsLayout.Position, below marks: Marks, hasLabel: Bool, foot: Rect) -> Rect {
        var bottom = footTop(of: marks)
        if hasLabel { bottom -= margin + labelText * 5 / 4 }
        if foot.intersects(rect) { bottom = min(bottom, foot.y) }
        bottom -= margin / 3
        var top = rect.y + margin
        if hasTexts {
            let lines = marks.reasons.count + marks.figures.lines.count + marks.info.count
            if lines > 0 || marks.time != nil { top = max(top, notes(of: marks).maxY + margin / 3) }
            if let card = marks.performance.announcement, position != .top {
                top = max(top, announcement(card, position).maxY + margin / 3)
            }
        }
        if position == .top, hasTexts {
            top = max(top, rect.y + margin + badge + margin / 3)
            if let card = marks.performance.announcement {
                bottom = min(bottom, announcement(card, position).y - margin / 3)
            }
        }
        // On a small frame the notes leave too little.
        let height = max(bottom - top, rect.height / 4)
        return Rect(rect.x, bottom - height, rect.width, height)
    }

    /// Area of the card in place of a frame. Words at `position` have their place beside it; nil if there are none.
    public func card(_ card: Card, _ position: LyricsLayout.Position?) -> Rect {
        cardArea(CardPlaces(in: rect).height(hasDetail: !card.detail.isEmpty), position, below: .min)
    }

    /// Area of the card that announces a song. Words at `position` have their place beside it; nil if there are none.
    public func announcement(_ card: Card, _ position: LyricsLayout.Position?) -> Rect {
        let height = CardPlaces(in: rect).height(hasDetail: !card.detail.isEmpty) + 2 * margin
        return cardArea(height, position, below: margin + badge).intersection(rect)
    }

    /// `taken`: height of marks at the upper edge.
    private func cardArea(_ height: Int, _ position: LyricsLayout.Position?, below taken: Int) -> Rect {
        let room = rect.height - height
        let top =
            switch position {
            case .top: room * 5 / 6
            case .middle, .bottom: max(room / 6, min(taken, room))
            case nil: room / 2
            }
        return Rect(rect.x, rect.y + top, rect.width, height)
    }

    /// Area of the line on what comes next: at the upper left, beside the states.
    public func nextUp(of marks: Marks) -> Rect {
        let isFree = marks.states.isEmpty && marks.pace == Marks.Pace() && marks.performance.level == nil
        let taken = isFree ? 0 : rect.maxX - meter(of: marks).x
        return Rect(rect.x + margin, rect.y + margin, max(0, rect.width - 2 * margin - taken), badge)
    }

    /// Area of the meter of a recording: beside the states, at their left.
    public func meter(of marks: Marks) -> Rect {
        let corner = corner(of: marks), width = marks.performance.level == nil ? 0 : 3 * badge
        return Rect(corner.x - width - badge / 3, corner.y, width, badge)
    }
}

/// Heights of the lines of a card, and of the gap between them.
public struct CardPlaces: Hashable, Sendable {
    public let name: Int
    public let detail: Int
    public var gap: Int { name / 4 }

    public init(in rect: Rect) {
        name = max(14, min(rect.height / 9, rect.width / 14, 160))
        detail = max(11, min(rect.height / 15, rect.width / 24, 100))
    }

    public func height(hasDetail: Bool) -> Int { hasDetail ? name + gap + detail : name }
}
