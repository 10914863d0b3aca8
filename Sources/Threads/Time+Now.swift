import Base

extension Time {
    /// The current time: CLOCK_MONOTONIC.
    public static var now: Time { Time(nanoseconds: monotonicNanoseconds()) }
}
