import CWayland

/// The outputs of a Wayland compositor that lets clients switch them (wlr-output-power-management). Calls may take
/// seconds.
public enum WaylandOutputs {
    public enum Power: UInt32, Sendable { case off = 0, on = 1 }

    /// True if the environment names a compositor.
    public static var mayBeThere: Bool { WaylandConnection.path != nil }

    /// Returns the reason for a failure; nil if all outputs were switched.
    public static func set(_ power: Power) -> String? { set(power, at: WaylandConnection.path) }

    nonisolated(unsafe) private static let listener = WaylandConnection.kept(
        qd_output_power_listener(
            mode: { _, _, _ in }, failed: { data, _ in data?.assumingMemoryBound(to: Bool.self).pointee = true }))

    static func set(_ power: Power, at path: String?) -> String? {
        guard let path, let connection = WaylandConnection(path) else { return "no Wayland compositor answers" }
        guard connection.settle() else { return "the Wayland compositor does not answer" }
        guard let manager = connection.globals.first(where: { $0.interface == "zwlr_output_power_manager_v1" }),
            let switcher = qd_bind_manager(connection.registry, manager.name)
        else { return "the Wayland compositor does not support switching its outputs" }
        // Proxies to destroy, on this side only. Newer versions of libwayland complain about proxies that are left.
        var proxies = [switcher]
        defer { for proxy in proxies.reversed() { wl_proxy_destroy(proxy) } }
        // In memory of its own: Swift 6.0 does not see that libwayland changes a variable to which a pointer was lent.
        let hasFailed = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        hasFailed.initialize(to: false)
        defer { hasFailed.deallocate() }
        for output in connection.globals where output.interface == "wl_output" {
            guard let bound = qd_bind_output(connection.registry, output.name) else { continue }
            proxies.append(bound)
            guard let one = qd_get_output_power(switcher, bound) else { continue }
            proxies.append(one)
            qd_output_power_add_listener(one, listener, hasFailed)
            qd_set_mode(one, power.rawValue)
        }
        guard connection.settle() else {
            return connection.error.map { "the Wayland compositor: \($0)" } ?? "the Wayland compositor does not answer"
        }
        return hasFailed.pointee ? "the Wayland compositor can't switch an output" : nil
    }
}
