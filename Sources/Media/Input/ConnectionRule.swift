import Base
import CConnect
import Glibc

/// Restricts the addresses to which the calling thread connects while it works for one source.
///
/// FFmpeg follows redirects and resolves names without reporting either. The address is therefore checked in the one
/// call that every connection makes, the C library's `connect` (CConnect).
final class ConnectionRule {
    /// True if the source's first connection led to this machine; nil until that connection, which may lead anywhere.
    private var beganHere: Bool?
    private var hasRefused = false
    /// Number of connections made.
    private(set) var count = 0

    init() { _ = ConnectionRule.isAsked }

    private static let isAsked: Void = qd_set_address_rule { address, length in
        guard let address else { return true }
        return ConnectionRule.allows(address, length)
    }

    /// Applies the rule to the calling thread's connections while `work` runs.
    func applied<Result>(to work: () -> Result) -> Result {
        pthread_setspecific(ConnectionRule.key, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(ConnectionRule.key, nil) }
        return work()
    }

    /// Returns true if a connection was refused since the last call.
    func takeRefusal() -> Bool {
        defer { hasRefused = false }
        return hasRefused
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static func allows(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Bool {
        guard let current = pthread_getspecific(key), let bytes = bytes(of: address, length) else { return true }
        let rule = Unmanaged<ConnectionRule>.fromOpaque(current).takeUnretainedValue()
        rule.count += 1
        let staysHere = NetworkAddress.staysHere(bytes)
        let beganHere = rule.beganHere ?? staysHere
        rule.beganHere = beganHere
        guard staysHere, !beganHere else { return true }
        rule.hasRefused = true
        return false
    }

    /// Returns the bytes of an internet address; nil for another family.
    private static func bytes(of address: UnsafePointer<sockaddr>, _ length: socklen_t) -> [UInt8]? {
        let raw = UnsafeRawBufferPointer(start: address, count: Int(length))
        switch Int32(address.pointee.sa_family) {
        case AF_INET where raw.count >= 8: return Array(raw[4..<8])
        case AF_INET6 where raw.count >= 24: return Array(raw[8..<24])
        default: return nil
        }
    }
}
