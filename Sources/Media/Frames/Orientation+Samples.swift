import Base
import Scene

// `DeepColours` maps each pixel. Calls from another module would not be inlined.
extension Orientation {
    /// Maps a point of the upright frame to the stored one, both as shares of width and height.
    func stored(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        let place =
            switch turn {
            case .none: (x: x, y: y)
            case .quarter: (x: y, y: 1 - x)
            case .half: (x: 1 - x, y: 1 - y)
            case .threeQuarters: (x: 1 - y, y: x)
            }
        return mirroring == .leftToRight ? (1 - place.x, place.y) : place
    }

    /// Maps a pixel; `size` is the stored frame's.
    func stored(_ x: Int, _ y: Int, in size: Size) -> (x: Int, y: Int) {
        let finished = size.turned(turn)
        let place = stored((Double(x) + 0.5) / Double(finished.width), (Double(y) + 0.5) / Double(finished.height))
        return (Int(place.x * Double(size.width)), Int(place.y * Double(size.height)))
    }
}
