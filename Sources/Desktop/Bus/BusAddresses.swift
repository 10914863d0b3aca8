import Glibc

/// Addresses of the buses that this process may use; nil if there is no such bus.
public struct BusAddresses: Hashable, Sendable {
    public var session: String?
    public var system: String?

    public init(session: String?, system: String?) { (self.session, self.system) = (session, system) }

    /// Addresses that the environment names, else those of the sockets in their usual places.
    public static var usual: BusAddresses {
        BusAddresses(
            session: variable("DBUS_SESSION_BUS_ADDRESS")
                ?? variable("XDG_RUNTIME_DIR").flatMap { address(ofSocket: $0 + "/bus") },
            system: variable("DBUS_SYSTEM_BUS_ADDRESS") ?? address(ofSocket: "/run/dbus/system_bus_socket"))
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func address(ofSocket path: String) -> String? {
        access(path, F_OK) == 0 ? "unix:path=" + FileURL.escaped(path) : nil
    }
}
