// A wall that nobody sees may rest.
extension Wall {
    /// `none`: no video is decoded; clocks run on, and each tile goes on where its timeline is.
    public mutating func setPictures(_ pictures: Pictures, at wall: Time) {
        output.setPictures(pictures)
        update(at: wall)
        orders.wakeScreen()
    }

    /// Clocks that run, or are about to, stand until `resume`; those that stand already stay as they are.
    public mutating func hold(at wall: Time) {
        for group in clocks.hold(at: wall) { tellClock(group, at: wall) }
        update(at: wall)
    }

    public mutating func resume(at wall: Time) {
        for group in clocks.resume(at: wall, after: pictureHold) { tellClock(group, at: wall) }
        update(at: wall)
    }

    /// Some tile has pictures to come, at once or when a jump is done.
    public var isMoving: Bool {
        feeds.contains { $0.phase == .playing && clocks[$0.group].motionToCome == .running }
    }
}
