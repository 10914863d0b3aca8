import Base

// The player passes frames and sources on as opaque handles. Here they get types of this target back.

extension Frame: WallFrame {}

extension WallFrame {
    /// The frame in Media's type.
    public var decoded: Frame { self as! Frame }
}
