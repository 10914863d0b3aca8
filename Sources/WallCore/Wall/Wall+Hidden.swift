// A wall that nobody sees may rest.
extension Wall {
    public enum Pictures: Sendable { case all, none }

    /// `none`: no video is decoded; clocks run on, and each tile goes on where its timeline is.
    public mutating func setPictures(_ pictures: Pictures, at wall: Time) {
        self.pictures = pictures
        conduct(at: wall)
        orders.wakesScreen = true
    }

    /// Clocks that run stand until `resume`; those that stand already stay as they are.
    public mutating func hold(at wall: Time) {
        for index in groups.indices where groups[index].clock.motion == .running {
            groups[index].clock.stand(at: wall)
            held.insert(index)
            tellClock(index, at: wall)
        }
        conduct(at: wall)
    }

    public mutating func resume(at wall: Time) {
        for index in held {
            groups[index].clock.run(at: wall, after: pictureHold)
            tellClock(index, at: wall)
        }
        held = []
        orders.pipelines.formUnion(pool.pipelines.indices)
        conduct(at: wall)
    }

    /// Some tile has pictures to come.
    public var isMoving: Bool {
        feeds.contains { $0.phase == .playing && groups[$0.group].clock.motion == .running }
    }
}
