extension Time {
    /// How long before its start a frame is due already, where frames last this long: a 128th of a frame, a millisecond
    /// at most.
    ///
    /// Layouts and commands write rates and times in decimals. Rounding puts the start of a frame a little after the
    /// instant that was meant, and without a tolerance the frame before it would be due. Nobody sees a 128th of a frame.
    public var dueTolerance: Time { max(.zero, min(self / 128, .milliseconds(1))) }
}
