import WallCore

// The wall hands pictures and sources on without looking into them; here they are Media's again.

extension Picture: WallPicture {}

extension Source: WallSource {}

extension WallPicture {
    /// As it was decoded.
    public var decoded: Picture { self as! Picture }
}

extension Job {
    var source: Source { handle as! Source }
}
