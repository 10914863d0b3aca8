import WallCore

// WallCore passes frames and sources on as opaque handles. Here they get Media's types back.

extension Frame: WallFrame {}

extension Source: WallSource {}

extension WallFrame {
    /// The frame in Media's type.
    public var decoded: Frame { self as! Frame }
}
