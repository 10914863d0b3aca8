extension Photo {
    /// True if a rectangle of this colour lies exactly here. Checks its corners, and the pixels outside them. `edges`
    /// checks every pixel, which takes a hundred times as long.
    public func isFilled(_ place: Area, with colour: Colour, within tolerance: Int = 24) -> Bool {
        let (right, bottom) = (place.x + place.width - 1, place.y + place.height - 1)
        func has(_ x: Int, _ y: Int) -> Bool? {
            guard x >= area.x, y >= area.y, x < area.x + area.width, y < area.y + area.height else { return nil }
            return self.colour(x, y).distance(to: colour) <= tolerance
        }
        let inside = [(place.x, place.y), (right, place.y), (place.x, bottom), (right, bottom)]
        let outside = [
            (place.x - 1, place.y), (place.x, place.y - 1), (right + 1, place.y), (right, place.y - 1),
            (place.x - 1, bottom), (place.x, bottom + 1), (right + 1, bottom), (right, bottom + 1),
        ]
        return inside.allSatisfy { has($0.0, $0.1) == true } && outside.allSatisfy { has($0.0, $0.1) != true }
    }

    /// True if this colour is seen at `places` and not at `others`. Marks over a tile's edges do not matter.
    public func shows(
        _ colour: Colour, at places: [(x: Int, y: Int)], notAt others: [(x: Int, y: Int)], within tolerance: Int = 24
    ) -> Bool {
        places.allSatisfy { self.colour($0.x, $0.y).distance(to: colour) <= tolerance }
            && others.allSatisfy { self.colour($0.x, $0.y).distance(to: colour) > tolerance }
    }
}
