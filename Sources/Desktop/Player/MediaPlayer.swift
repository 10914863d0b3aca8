import Base
import Commands
import Glibc
import Protocols

/// The wall as an MPRIS player on the session's bus, for the length of one connection. Belongs to the thread "control".
final class MediaPlayer {
    private static let path = "/org/mpris/MediaPlayer2"
    /// Name of the first wall. Others add the number of their process.
    static let name = "org.mpris.MediaPlayer2.quadrille"
    /// Shortest time between two comparisons of the state, in nanoseconds.
    static let comparisonInterval: Int64 = 100_000_000
    /// The same after an event such as a loop or a seek.
    static let comparisonIntervalAfterEvents: Int64 = 10_000_000

    let connection: BusConnection
    private let target: any ControlTarget
    private let mailbox: ControlMailbox
    private var announcements: Announcements?
    /// Calls whose commands have no answer yet.
    private var calls: [ObjectIdentifier: (answer: PendingAnswer, call: BusMessage)] = [:]
    private var lastComparison: Int64 = .min / 2
    private var isStopped = false

    enum Standing {
        case requestingName
        /// Programs on the bus may find the player.
        case listed
        /// The bus gives the player no name.
        case refused
    }
    private(set) var standing = Standing.requestingName

    /// Connects to the bus and requests the name. Throws if no bus listens at the address.
    init(_ address: String, _ target: any ControlTarget, _ mailbox: ControlMailbox) throws(BusTrouble) {
        connection = try BusConnection(address: address)
        (self.target, self.mailbox) = (target, mailbox)
        try connection.serve(Self.path) { [unowned self] in handle($0) }
        try request([Self.name, "\(Self.name).instance\(getpid())"])
    }

    private func request(_ names: [String]) throws(BusTrouble) {
        guard let name = names.first else {
            standing = .refused
            return
        }
        try connection.requestName(name) { [unowned self] reply in
            switch reply.isError ? nil : reply.readCount() {
            case 1, 4: standing = .listed
            case 3: do throws(BusTrouble) { try request(Array(names.dropFirst())) } catch { standing = .refused }
            default: standing = .refused
            }
        }
    }

    // MARK: signals

    /// Time of the next comparison, if something may have changed.
    func comparison(isAfterEvent: Bool) -> Int64 {
        lastComparison + (isAfterEvent ? Self.comparisonIntervalAfterEvents : Self.comparisonInterval)
    }

    /// Compares the wall's state with the one announced last, and announces what differs.
    func compare(at now: Int64) throws(BusTrouble) {
        lastComparison = now
        let state = state()
        guard var announcements else {
            self.announcements = Announcements(state, at: now)
            return
        }
        let signals = announcements.update(state, at: now)
        self.announcements = announcements
        for signal in signals { try send(signal) }
    }

    private func send(_ signal: Announcements.Signal) throws(BusTrouble) {
        let message: BusMessage
        switch signal {
        case .changed(let interface, let fields):
            message = try BusMessage.signal(
                connection, path: Self.path, interface: Standard.properties, name: "PropertiesChanged")
            try message.append(.text(interface))
            try message.append(.fields(fields))
            try message.append(.texts([]))
        case .seeked(let position):
            message = try BusMessage.signal(
                connection, path: Self.path, interface: BusInterface.player.name, name: "Seeked")
            try message.append(.integer(position))
        }
        try connection.send(message)
    }

    private func state() -> PlayerState {
        var state = PlayerState(of: target)
        if state.track?.isPaused != true { isStopped = false }
        state.isStopped = isStopped
        return state
    }

    // MARK: calls

    /// Names of the interfaces that D-Bus itself specifies.
    private enum Standard {
        static let properties = "org.freedesktop.DBus.Properties"
        static let introspectable = "org.freedesktop.DBus.Introspectable"
    }

    private enum Refusal: String {
        case invalidArguments = "InvalidArgs"
        case unknownInterface = "UnknownInterface"
        case unknownProperty = "UnknownProperty"
        case readOnly = "PropertyReadOnly"
        case failed = "Failed"
    }

    private func handle(_ call: BusMessage) -> BusConnection.Outcome {
        switch (call.interface, call.member) {
        case (Standard.introspectable, "Introspect"):
            reply(to: call, [.text(BusInterface.introspection(BusInterface.all))])
        case (Standard.properties, "Get"): get(call)
        case (Standard.properties, "GetAll"): getAll(call)
        case (Standard.properties, "Set"): set(call)
        case (let interface, let member):
            // A call may leave the interface out.
            let interfaces = BusInterface.all.filter { interface == nil || $0.name == interface }
            guard let method = interfaces.lazy.compactMap({ $0.method(member) }).first else { return .unknown }
            run(method, call)
        }
        return .handled
    }

    private func interface(of call: BusMessage) -> BusInterface? {
        let name = call.read("s")?.asText
        guard let interface = BusInterface.all.first(where: { $0.name == name }) else {
            refuse(call, .unknownInterface, "the player has no interface \((name ?? "").quoted)")
            return nil
        }
        return interface
    }

    private func property(of call: BusMessage) -> BusProperty? {
        guard let interface = interface(of: call), let name = call.read("s")?.asText else { return nil }
        guard let property = interface.property(name) else {
            refuse(call, .unknownProperty, "\(interface.name) has no property \(name.quoted)")
            return nil
        }
        return property
    }

    private func get(_ call: BusMessage) {
        guard takes("ss", call), let property = property(of: call) else { return }
        write(call) { reply throws(BusTrouble) in try reply.appendVariant(property.get(state())) }
    }

    private func getAll(_ call: BusMessage) {
        guard takes("s", call), let interface = interface(of: call) else { return }
        reply(to: call, [.fields(interface.values(state()))])
    }

    private func set(_ call: BusMessage) {
        guard takes("ssv", call), let property = property(of: call) else { return }
        guard let set = property.set else { return refuse(call, .readOnly, "\(property.name) can only be read") }
        guard let value = call.readVariant(of: property.signature) else {
            return refuse(call, .invalidArguments, "\(property.name) takes a value of the type \(property.signature)")
        }
        if case .number = value, value.asNumber == nil {
            return refuse(call, .invalidArguments, "\(property.name) takes a finite number")
        }
        carryOut(set(value, state()), call)
    }

    private func run(_ method: BusMethod, _ call: BusMessage) {
        guard takes(method.signature, call) else { return }
        let arguments = method.arguments.compactMap { call.read($0.signature) }
        guard arguments.count == method.arguments.count else {
            return refuse(call, .invalidArguments, "\(method.name) takes \(method.signature)")
        }
        do throws(ControlError) { carryOut(try method.actions(arguments, state()), call) } catch {
            refuse(call, .failed, error.detail ?? error.word.rawValue)
        }
    }

    /// Carries out the actions in order. The call is answered when the last command is, or with the first error.
    private func carryOut(_ actions: [PlayerAction], _ call: BusMessage) {
        let answer = PendingAnswer(mailbox)
        var isAwaited = false
        for action in actions {
            switch action {
            case .set(let name, let value):
                if let error = target.setProperty(name, value) {
                    return refuse(call, .failed, target.reason(error, of: name) ?? error.word.rawValue)
                }
            case .stop: isStopped = true
            case .command(let name, let arguments):
                isAwaited = true
                target.run(ControlCommand(name, arguments, client: "mpris")) { answer.give($0) }
            }
        }
        guard isAwaited else { return reply(to: call, []) }
        calls[ObjectIdentifier(answer)] = (answer, call)
        finish(answer)
    }

    /// Answers the call that waits for this answer, if the result is there.
    func finish(_ answer: PendingAnswer) {
        guard let result = answer.result(), let (_, call) = calls.removeValue(forKey: ObjectIdentifier(answer)) else {
            return
        }
        switch result {
        case .success: reply(to: call, [])
        case .failure(let error): refuse(call, .failed, error.detail ?? error.word.rawValue)
        }
    }

    private func takes(_ signature: String, _ call: BusMessage) -> Bool {
        if call.hasSignature(signature) { return true }
        refuse(call, .invalidArguments, "\(call.member) takes \(signature.isEmpty ? "no arguments" : signature)")
        return false
    }

    private func reply(to call: BusMessage, _ values: [BusValue]) {
        write(call) { reply throws(BusTrouble) in for value in values { try reply.append(value) } }
    }

    private func write(_ call: BusMessage, _ body: (BusMessage) throws(BusTrouble) -> Void) {
        do throws(BusTrouble) {
            let reply = try call.reply()
            try body(reply)
            try connection.send(reply)
        } catch { refuse(call, .failed, "\(error)") }
    }

    private func refuse(_ call: BusMessage, _ refusal: Refusal, _ reason: String) {
        call.refuse("org.freedesktop.DBus.Error.\(refusal.rawValue)", reason)
    }
}
