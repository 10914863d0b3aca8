import Base
import Commands
import Glibc
import Protocols
import Threads

/// The listening socket and its clients, which are served in turn. Belongs to the thread "control".
final class SocketServer: ControlProtocol {
    static let mostClients = 250
    /// Shortest time between two comparisons of the observed properties, in nanoseconds.
    static let comparisonInterval: Int64 = 16_666_667

    private static let acceptedPerTurn = 16
    /// Time after which no further client is served in one turn, in nanoseconds.
    private static let timePerTurn: Int64 = 8_000_000
    /// Time for which no client is accepted after the system ran out of files, in nanoseconds.
    private static let acceptPause: Int64 = 100_000_000

    private let listener: Int32
    private let mailbox: ControlMailbox
    private let hub: ControlHub
    private var clients: [ControlClient] = []
    /// Time until which no client is accepted; nil while clients are accepted.
    private var acceptsAgain: Int64?
    /// Least time that any busy client has taken, in nanoseconds. New clients begin with it.
    private var leastSpent: Int64 = 0
    private var propertiesHaveChanged = false
    private var nextComparison: Int64 = 0

    /// Takes ownership of the non-blocking listening socket.
    init(listener: Int32, _ target: any ControlTarget, _ mailbox: ControlMailbox) {
        (self.listener, self.mailbox, hub) = (listener, mailbox, ControlHub(target, mailbox))
    }

    deinit { close(listener) }

    /// The listening socket is polled before the clients. If a client left before a new one connected, both are then
    /// ready in the same turn.
    var files: [pollfd] {
        (acceptsAgain == nil ? [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)] : [])
            + clients.filter { $0.awaitedEvents != 0 }.map { pollfd(fd: $0.file, events: $0.awaitedEvents, revents: 0) }
    }

    var deadline: Int64? {
        if clients.contains(where: { $0.canWork || ($0.mustCompare && $0.canBeSent) }) { return 0 }
        let comparison = propertiesHaveChanged ? nextComparison : nil
        return [clients.lazy.compactMap(\.closingTime).min(), acceptsAgain, comparison].compactMap(\.self).min()
    }

    func serve(_ mail: ControlMail, ready: Set<Int32>) {
        for answer in mail.answers { hub.deliver(answer) }
        for event in mail.events { hub.post(event) }
        propertiesHaveChanged = propertiesHaveChanged || mail.havePropertiesChanged
        for client in clients where ready.contains(client.file) { client.read() }
        work()
        // Set before `compareProperties`, so that changes from here on are posted to the mailbox.
        mailbox.set(hub.interests, of: self)
        compareProperties()
        flush()
        removeClients()
        // Accepts last: clients that left are removed by now.
        if let acceptsAgain, monotonicNanoseconds() >= acceptsAgain { self.acceptsAgain = nil }
        if ready.contains(listener) { accept() }
        mailbox.set(hub.interests, of: self)
    }

    func end() {
        hub.post(ControlEvent(.shutdown))
        flush()
    }

    private func flush() {
        let now = monotonicNanoseconds()
        for client in clients { client.flush(now) }
    }

    /// Runs lines of the clients for a bounded time. A client that had nothing to do begins with the least time of those
    /// that are busy, so that no time is saved up.
    private func work() {
        let busy = clients.filter(\.canWork)
        guard let least = busy.map(\.spent).min() else { return }
        leastSpent = max(leastSpent, least)
        for client in clients where !client.canWork { client.spent = max(client.spent, leastSpent) }
        share(among: busy) { $0.work() }
    }

    /// Lets clients act for a bounded time, those first that have had the least. A client with little to do thus waits
    /// one turn at most, whatever the requests of the others cost.
    private func share(among clients: [ControlClient], _ act: (ControlClient) -> Void) {
        let end = monotonicNanoseconds() + Self.timePerTurn
        for client in clients.sorted(by: { $0.spent < $1.spent }) {
            act(client)
            if monotonicNanoseconds() >= end { return }
        }
    }

    /// Accepts waiting clients. If all places are taken, refuses only the first. A client that left may not have been
    /// noticed yet, so the others may find a free place in the next turn.
    private func accept() {
        for number in 0..<Self.acceptedPerTurn {
            let isFull = clients.count >= Self.mostClients
            if isFull && number > 0 { return }
            let file = Glibc.accept(listener, nil, nil)
            if file < 0 {
                // Out of files or memory: the listener would be ready again at once.
                if errno != EAGAIN && errno != EINTR && errno != ECONNABORTED {
                    acceptsAgain = monotonicNanoseconds() + Self.acceptPause
                }
                return
            }
            if isFull {
                refuse(file)
                return
            }
            _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK)
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            clients.append(ControlClient(file: file, session: hub.open(), spent: leastSpent))
        }
    }

    /// Sends an error to a client beyond the limit if that does not block, and closes the connection.
    private func refuse(_ file: Int32) {
        let text = "at most \(Self.mostClients) clients are served at once"
        let line = JSONWriter.line([PropertyField("error", .text(text))])
        _ = line.withUnsafeBytes { Glibc.send(file, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) }
        close(file)
    }

    private func removeClients() {
        guard clients.contains(where: \.isOver) else { return }
        for client in clients where client.isOver { hub.close(client.session) }
        clients.removeAll { $0.isOver }
    }

    /// Sends changed properties: at once to a client with a new observation, to the others at most once in
    /// `comparisonInterval`. A client with unsent output is skipped. Once its output is sent, the client gets the
    /// values of that time.
    private func compareProperties() {
        let now = monotonicNanoseconds()
        if propertiesHaveChanged && now >= nextComparison {
            propertiesHaveChanged = false
            nextComparison = now + Self.comparisonInterval
            for client in clients where !client.session.observations.isEmpty { client.mustCompare = true }
        }
        for client in clients where client.session.hasNewObservations { client.mustCompare = true }
        let values = PropertyLook(hub.target)
        share(among: clients.filter { $0.mustCompare && $0.canBeSent }) { $0.compare(values) }
    }
}
