import CSDL2
import Threads

/// Ends the main thread's wait. Any thread may call it, as often as it likes. It never blocks.
public final class Waker: Sendable {
    /// SDL's number for the event.
    let eventType: UInt32
    private let isUnderWay = Locked(false)

    init(eventType: UInt32) { self.eventType = eventType }

    /// At most one wake-up is in SDL's queue at a time.
    public func wake() {
        let isFirst = isUnderWay.locked { flag in
            defer { flag = true }
            return !flag
        }
        guard isFirst else { return }
        var event = SDL_Event()
        event.type = eventType
        if SDL_PushEvent(&event) != 1 { isUnderWay.locked { $0 = false } }
    }

    /// Called when the main thread has seen the event. The next `wake` sends a new one.
    func arrived() { isUnderWay.locked { $0 = false } }
}
