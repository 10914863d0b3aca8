import Base

/// Records the counts of the wall in the trace from time to time. Main thread only.
struct PeriodicCounts {
    private let record: (() -> Void)?
    /// Time of the next counts; nil if there is no trace.
    private(set) var dueAt: Time?

    /// A power cut loses no more than the counts of this time.
    private static let interval = Time.seconds(600)

    /// `record`: nil if there is no trace.
    init(_ record: (() -> Void)?) {
        self.record = record
        dueAt = record.map { _ in Time.now + Self.interval }
    }

    mutating func update() {
        guard let due = dueAt, Time.now >= due else { return }
        record?()
        dueAt = Time.now + Self.interval
    }
}
