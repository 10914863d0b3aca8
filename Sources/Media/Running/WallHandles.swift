import WallCore

// The wall hands frames and sources on without looking into them; here they are Media's again.

extension Frame: WallFrame {}

extension Source: WallSource {}

extension WallFrame {
    /// As it was decoded.
    public var decoded: Frame { self as! Frame }
}

extension Job {
    var source: Source { handle as! Source }
}
