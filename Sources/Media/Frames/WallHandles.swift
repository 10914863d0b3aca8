import Base

// The player passes frames on as opaque handles. Here they get their type back.

extension Frame: WallFrame {}

extension WallFrame {
    /// The frame in Media's type.
    public var decoded: Frame { self as! Frame }
}
