/// Local time of a place. Instants are whole seconds since 1970, in UTC.
public struct LocalTime: Sendable {
    /// Returns the seconds by which local time is ahead of UTC at an instant.
    private let offset: @Sendable (Int) -> Int

    public static let secondsOfDay = 86_400

    public init(offset: @escaping @Sendable (Int) -> Int) { self.offset = offset }

    /// Returns the local date, and the seconds of the day that its clocks show.
    public func clock(at instant: Int) -> (date: CivilDate, second: Int) {
        let shown = instant + offset(instant)
        let second = (shown % LocalTime.secondsOfDay + LocalTime.secondsOfDay) % LocalTime.secondsOfDay
        return (CivilDate(day: (shown - second) / LocalTime.secondsOfDay), second)
    }

    /// Returns the days of these instants, as `CivilDate` counts them.
    func days(of instants: Range<Int>) -> ClosedRange<Int> {
        let (first, last) = (clock(at: instants.lowerBound).date.day, clock(at: instants.upperBound).date.day)
        // If the clock is set back across midnight, the later instant lies on the earlier day.
        return min(first, last)...max(first, last)
    }

    /// Returns the instant at which clocks show this time, `second` up to 86,400. If the time comes twice, returns the
    /// first instant. If a clock change leaves the time out, returns the end of the gap.
    public func instant(_ date: CivilDate, _ second: Int) -> Int {
        let shown = date.day * LocalTime.secondsOfDay + second
        let offsets = [offset(shown - LocalTime.farthestFromUTC), offset(shown + LocalTime.farthestFromUTC)]
        let (early, late) = (shown - offsets.max()!, shown - offsets.min()!)
        for instant in [early, late] where instant + offset(instant) == shown { return instant }
        // The clocks leave this time out. Searches for the end of the gap.
        var (before, after) = (early, late)
        while after - before > 1 {
            let middle = before + (after - before) / 2
            if middle + offset(middle) > shown { after = middle } else { before = middle }
        }
        return after
    }

    /// Larger than any offset from UTC, so that the offsets before and after a clock change are seen.
    private static let farthestFromUTC = 16 * 3600

    /// `mon 2026-12-24 22:00:00`.
    public func text(at instant: Int) -> String {
        let (date, second) = clock(at: instant)
        return "\(date.weekday.name) \(date.text) \(LocalTime.text(ofSecond: second))"
    }

    /// `2026-12-24T22:00:00+01:00`.
    public func iso(at instant: Int) -> String {
        let (date, second) = clock(at: instant)
        let ahead = offset(instant) / 60
        let (hours, minutes) = ahead.magnitude.quotientAndRemainder(dividingBy: 60)
        return "\(date.text)T\(LocalTime.text(ofSecond: second))\(ahead < 0 ? "-" : "+")"
            + "\(Int(hours).twoDigits):\(Int(minutes).twoDigits)"
    }

    private static func text(ofSecond second: Int) -> String {
        [second / 3600, second / 60 % 60, second % 60].map(\.twoDigits).joined(separator: ":")
    }
}
