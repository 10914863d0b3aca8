/// A picture of a tile and where it stands on the wall.
public struct PlacedPicture {
    public let picture: any WallPicture
    public let stamp: Stamp
    public let crop: Fractions
    public let target: Rect

    public init(_ picture: any WallPicture, stamp: Stamp, crop: Fractions, target: Rect) {
        (self.picture, self.stamp, self.crop, self.target) = (picture, stamp, crop, target)
    }

    public var identity: Identity { Identity(stamp: stamp, crop: crop, target: target) }

    /// Equal for equal pixels at an equal place.
    public struct Identity: Hashable, Sendable {
        let stamp: Stamp
        let crop: Fractions
        let target: Rect
    }
}

/// A picture that comes out of another one.
public struct FadedPicture {
    public let from: PlacedPicture
    public let to: PlacedPicture
    /// Of the latter: from 0 to `whole`.
    public let weight: Int

    public static let whole = 256

    public init(from: PlacedPicture, to: PlacedPicture, weight: Int) {
        (self.from, self.to, self.weight) = (from, to, weight)
    }

    /// Both of them lie within.
    public var target: Rect { from.target.union(to.target) }

    /// Nothing beneath it is seen.
    public var isOpaque: Bool {
        from.target == to.target && from.picture.isOpaque && to.picture.isOpaque
    }

    public var identity: Identity { Identity(from: from.identity, to: to.identity, weight: weight) }

    /// Equal for equal pixels.
    public struct Identity: Hashable {
        let from: PlacedPicture.Identity
        let to: PlacedPicture.Identity
        let weight: Int
    }
}
