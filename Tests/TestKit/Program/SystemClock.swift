import Foundation

/// The system's clock and time zone as one program sees them. The clock runs from the start of the program, and can be
/// set.
public final class SystemClock: Sendable {
    let preload: Preload
    public let zone: String
    private let first: String

    /// `text`: the time in the zone at which the program starts, such as `2026-12-24 22:00:00`.
    public init(_ text: String, _ zone: String) throws {
        preload = try Preload("system-clock", "QUADRILLE_SYSTEM_CLOCK", of: Int64.self, count: 1)
        (self.zone, first) = (zone, text)
    }

    /// The program starts.
    func begin() throws { try set(first) }

    public func set(_ text: String) throws {
        let form = DateFormatter()
        (form.locale, form.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(identifier: zone))
        form.dateFormat = "yyyy-MM-dd HH:mm:ss"
        guard let date = form.date(from: text) else { throw Child.Failure.notFound("the time \(text) in \(zone)") }
        preload.values(of: Int64.self)[0] = Int64(date.timeIntervalSinceNow * 1e9)
    }
}
