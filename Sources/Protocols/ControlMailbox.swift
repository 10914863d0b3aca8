import Base
import Commands
import Threads

/// The mailbox of a `ProtocolLoop`. Any thread may call. No call but `wait` and `stop` blocks; `ProtocolLoop`
/// alone calls these.
public typealias ControlMailbox = Mailbox<ControlMail>

/// Answers, events and changes from other threads, for all protocols of a loop.
public struct ControlMail {
    /// Answers that came after `run` had returned. A protocol ignores those of others.
    public var answers: [PendingAnswer] = []
    public var events: [ControlEvent] = []
    public var havePropertiesChanged = false
    var added: [@Sendable (ControlMailbox) -> any ControlProtocol] = []
    /// Mail that the clients of each protocol want, as last set by the protocol.
    var interests: [ObjectIdentifier: Set<ControlInterest>] = [:]

    fileprivate func isWanted(_ interest: ControlInterest) -> Bool {
        interests.values.contains { $0.contains(interest) }
    }
}

/// Mail that clients of a protocol may want.
public enum ControlInterest: Sendable { case events, changes }

/// Most events queued. Further ones are dropped, which happens only if the thread hangs.
private let mostEvents = 10_000

extension ControlMailbox {
    public convenience init() { self.init(ControlMail()) }

    /// True if any client would receive events or changes.
    public var hasListeners: Bool { locked { $0.isWanted(.events) || $0.isWanted(.changes) } }

    /// Sends the event to those clients that want it.
    public func post(_ event: ControlEvent) {
        post(if: { $0.isWanted(.events) && $0.events.count < mostEvents }, then: { $0.events.append(event) })
    }

    /// Reports that properties may have changed. The protocols compare them soon, each at a rate of its own. Costs almost
    /// nothing while no client observes.
    public func propertiesChanged() { post(if: { $0.isWanted(.changes) }, then: { $0.havePropertiesChanged = true }) }

    /// Gives each protocol a turn. Called after a change of something that a protocol shares with other threads.
    public func wake() { post { _ in } }

    // MARK: The thread of the loop

    /// Called before a protocol compares properties, so that later changes are posted.
    public func set(_ interests: Set<ControlInterest>, of one: any ControlProtocol) {
        locked { $0.interests[ObjectIdentifier(one)] = interests }
    }

    func takeMail() -> ControlMail? { take { exchange(&$0, with: ControlMail(interests: $0.interests)) } }
}

/// The answer to one command. A protocol takes it as soon as `run` has returned, or gets it later by the mailbox.
public final class PendingAnswer: Sendable {
    private struct State {
        var result: Result<PropertyValue?, ControlError>?
        /// True if the protocol waits for the answer in the mailbox.
        var isAwaited = false
    }

    private let state = Locked(State())
    private let mailbox: ControlMailbox

    public init(_ mailbox: ControlMailbox) { self.mailbox = mailbox }

    /// Any thread may call; only the first call counts.
    public func give(_ result: Result<PropertyValue?, ControlError>) {
        let isLate = state.locked { state in
            guard state.result == nil else { return false }
            state.result = result
            return state.isAwaited
        }
        if isLate { mailbox.post { $0.answers.append(self) } }
    }

    /// Returns nil if there is no result yet; the answer then comes by the mailbox.
    public func result() -> Result<PropertyValue?, ControlError>? {
        state.locked { state in
            state.isAwaited = true
            return state.result
        }
    }
}
