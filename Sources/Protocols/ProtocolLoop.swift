import Glibc
import Threads

/// A protocol by which other programs control the wall and hear of it, such as mpv's JSON IPC. Belongs to the thread of
/// its `ProtocolLoop`.
///
/// No call blocks. A turn lasts some milliseconds at most, however much the clients have sent. The protocol takes up
/// the rest in its next turn, for which it returns a `deadline` of 0.
public protocol ControlProtocol: AnyObject {
    /// Files to wait for, with the events to poll for.
    var files: [pollfd] { get }
    /// Time of the next turn if nothing else comes first, on CLOCK_MONOTONIC in nanoseconds; nil for none.
    var deadline: Int64? { get }
    /// Takes one turn. Called when a file is ready, when the deadline has come, and when the mailbox has mail.
    /// `ready` has files of other protocols, too.
    func serve(_ mail: ControlMail, ready: Set<Int32>)
    /// Called once, after the last turn. Releasing the protocol closes its files.
    func end()
}

/// The thread "control": waits for the files and the deadlines of all protocols and for their mailbox, and gives a turn
/// to each protocol that has something to do.
///
///     clients ─▶ files of a ControlProtocol ─▶ ControlTarget
///     other threads ─▶ ControlMailbox (late answers, events, changes) ─▶ each ControlProtocol
///
/// A protocol waits for one turn of each other one at most, since turns are limited by time. Any thread may call any
/// method but `stop`, which the owner calls. Only `stop` waits.
public final class ProtocolLoop: Sendable {
    public let mailbox = ControlMailbox()

    public init() {}

    /// Adds the protocol that `make` makes on the thread. Starts the thread with the first one. Does
    /// nothing after `stop`.
    public func add(_ make: @escaping @Sendable (ControlMailbox) -> any ControlProtocol) throws(NoThread) {
        guard mailbox.canWaitForFiles else { throw NoThread(name: "control", code: EMFILE) }
        try mailbox.start("control", .usual) { [mailbox] in serveProtocols(mailbox) }
        mailbox.post { $0.added.append(make) }
    }

    /// Gives each protocol a last turn, ends them and joins the thread. Called once, by the owner. Waits at most `limit`
    /// nanoseconds, in case a target hangs, and returns the thread's name then.
    @discardableResult
    public func stop(within limit: Int64 = 1_000_000_000) -> [String] {
        mailbox.stop(within: limit)
    }
}

private func serveProtocols(_ mailbox: ControlMailbox) {
    var protocols: [any ControlProtocol] = []
    var isLast = false
    while !isLast {
        let files = protocols.map(\.files), deadlines = protocols.map { $0.deadline ?? .max }
        let ready = mailbox.wait(until: deadlines.min() ?? .max, for: files.flatMap(\.self))
        isLast = mailbox.isStopping
        let mail = mailbox.takeMail()
        for make in mail?.added ?? [] { protocols.append(make(mailbox)) }
        for (place, one) in protocols.enumerated()
        where mail != nil || deadlines[place] <= monotonicNanoseconds()
            || files[place].contains(where: { ready.contains($0.fd) })
        {
            one.serve(mail ?? ControlMail(), ready: ready)
        }
    }
    for one in protocols { one.end() }
    mailbox.locked { $0.interests = [:] }
}
