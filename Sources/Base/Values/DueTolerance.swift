extension Time {
    /// Time before its start at which a frame of this duration is already due: a 128th of the duration, at most a
    /// millisecond.
    ///
    /// Layouts and commands state rates and times in decimals. Rounding puts the start of a frame slightly after the
    /// instant that was meant. Without a tolerance the frame before it would be due. A 128th of a frame is not visible.
    public var dueTolerance: Time { max(.zero, min(self / 128, .milliseconds(1))) }
}
