import Base
import Console

/// End of the main loop, and the exit status. Main thread only.
struct LoopEnd {
    private let ending: Ending
    private let length: Time?
    /// Time at which the loop ends by itself; nil if it does not.
    private(set) var time: Time?
    /// Exit status; nil while the loop goes on.
    private(set) var status: Int32?

    /// `length`: time for which the loop runs; nil if it is not limited.
    init(_ ending: Ending, length: Time?) { (self.ending, self.length) = (ending, length) }

    mutating func begin() {
        time = length.map { Time.now + $0 }
        if let time { ending.expect(by: time.nanoseconds) }
    }

    /// Ends the loop. A later call replaces the status.
    mutating func end(_ status: Int32) { self.status = status }

    /// Ends the loop if another thread asked for that, or its time is over. A status that was set before stays.
    mutating func update() {
        if let asked = ending.status { status = status ?? asked }
        if let time, Time.now >= time { status = status ?? ExitStatus.done }
    }
}
