import CSystemd
import Glibc
import Threads

/// A connection to a message bus. Belongs to one thread, which polls `file`. No call waits for the bus.
final class BusConnection {
    typealias Answer = (BusMessage) -> Void

    let handle: OpaquePointer
    /// Receivers of calls to objects of ours, and of answers that have not come yet.
    private var receivers: [ObjectIdentifier: Receiver] = [:]

    /// Time after which one call of `process` handles no further message, in nanoseconds.
    private static let timePerTurn: Int64 = 2_000_000

    /// Begins to connect. Throws if no bus listens at the address.
    init(address: String) throws(BusTrouble) {
        var bus: OpaquePointer?
        try checked(sd_bus_new(&bus))
        handle = bus!
        // `deinit` closes the handle from here on, also after an error.
        try checked(sd_bus_set_address(handle, address))
        try checked(sd_bus_set_bus_client(handle, 1))
        try checked(sd_bus_negotiate_fds(handle, 1))
        try checked(sd_bus_start(handle))
    }

    deinit { sd_bus_close_unref(handle) }

    var file: Int32 { sd_bus_get_fd(handle) }
    /// Events to poll for.
    var events: Int16 { Int16(truncatingIfNeeded: max(0, sd_bus_get_events(handle))) }

    /// Time at which `process` is due, on CLOCK_MONOTONIC in nanoseconds; nil unless the file becomes ready.
    var deadline: Int64? {
        var microseconds: UInt64 = 0
        guard sd_bus_get_timeout(handle, &microseconds) > 0, microseconds < UInt64(Int64.max / 1000) else { return nil }
        return Int64(microseconds) * 1000
    }

    /// Handles received messages and timeouts, for a bounded time. Throws once the bus is gone.
    func process() throws(BusTrouble) {
        let end = monotonicNanoseconds() + Self.timePerTurn
        while try checked(sd_bus_process(handle, nil)) > 0, monotonicNanoseconds() < end {}
        guard sd_bus_is_open(handle) > 0 else { throw BusTrouble(code: ENOTCONN) }
    }

    func send(_ message: BusMessage) throws(BusTrouble) { try checked(sd_bus_send(handle, message.handle, nil)) }

    /// Calls a method. `answer` is called once, by `process`, also with an error; never if the connection ends before.
    func call(_ message: BusMessage, within microseconds: UInt64, _ answer: @escaping Answer) throws(BusTrouble) {
        try wait(for: answer) { sd_bus_call_async(handle, nil, message.handle, receive, $0, microseconds) }
    }

    /// Requests a name without waiting in a queue for it. The answer has one of DBUS_REQUEST_NAME_REPLY_*: 1 primary
    /// owner, 3 exists, 4 already owner.
    func requestName(_ name: String, _ answer: @escaping Answer) throws(BusTrouble) {
        try wait(for: answer) { sd_bus_request_name_async(handle, nil, name, 0, receive, $0) }
    }

    private func wait(for answer: @escaping Answer, _ start: (UnsafeMutableRawPointer) -> Int32) throws(BusTrouble) {
        let receiver = Receiver()
        let key = ObjectIdentifier(receiver)
        receiver.take = { [unowned self] message in
            receivers[key] = nil
            answer(message)
            return .handled
        }
        try keep(receiver, start)
    }

    private func keep(_ receiver: Receiver, _ start: (UnsafeMutableRawPointer) -> Int32) throws(BusTrouble) {
        try checked(start(Unmanaged.passUnretained(receiver).toOpaque()))
        receivers[ObjectIdentifier(receiver)] = receiver
    }

    enum Outcome { case handled, unknown }

    /// Passes the calls of the object at `path` to `handle`, until the connection ends.
    func serve(_ path: String, _ handle: @escaping (BusMessage) -> Outcome) throws(BusTrouble) {
        let receiver = Receiver()
        receiver.take = handle
        try keep(receiver) { sd_bus_add_object(self.handle, nil, path, receive, $0) }
    }
}

private final class Receiver {
    var take: (BusMessage) -> BusConnection.Outcome = { _ in .unknown }
}

private func receive(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    let receiver = Unmanaged<Receiver>.fromOpaque(context!).takeUnretainedValue()
    return receiver.take(BusMessage(received: message!)) == .handled ? 1 : 0
}

/// An error of sd-bus.
struct BusTrouble: Error, Hashable, CustomStringConvertible {
    /// The system's error number.
    let code: Int32

    var description: String { String(cString: strerror(code)) }
}

/// Returns the result of a call of sd-bus; throws if it is an error, which is negative.
@discardableResult
func checked(_ result: Int32) throws(BusTrouble) -> Int32 {
    if result < 0 { throw BusTrouble(code: -result) }
    return result
}
