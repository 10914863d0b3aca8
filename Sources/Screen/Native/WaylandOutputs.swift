import CWayland
import Files
import Glibc

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

/// A separate connection to a Wayland compositor. Waits at most five seconds for an answer. Belongs to one thread.
final class WaylandConnection {
    private static let patience: Int32 = 5000

    private let display: OpaquePointer
    let registry: OpaquePointer
    private(set) var globals: [(name: UInt32, interface: String)] = []
    /// True once the compositor has answered the last `settle`.
    private var isSettled = false

    /// Socket of the compositor that the environment names; nil if it names none.
    static var path: String? {
        guard let name = environment("WAYLAND_DISPLAY") else { return nil }
        if name.hasPrefix("/") { return name }
        return environment("XDG_RUNTIME_DIR").map { $0 + "/" + name }
    }

    nonisolated(unsafe) private static let registryListener = kept(
        wl_registry_listener(
            global: { data, _, name, interface, _ in
                guard let data, let interface else { return }
                Unmanaged<WaylandConnection>.fromOpaque(data).takeUnretainedValue().globals
                    .append((name, String(cString: interface)))
            }, global_remove: { _, _, _ in }))
    nonisolated(unsafe) private static let callbackListener = kept(
        wl_callback_listener { data, _, _ in
            guard let data else { return }
            Unmanaged<WaylandConnection>.fromOpaque(data).takeUnretainedValue().isSettled = true
        })

    /// Returns a copy of a listener in memory that is never freed: libwayland keeps its address.
    static func kept<Listener>(_ listener: Listener) -> UnsafeMutablePointer<Listener> {
        let memory = UnsafeMutablePointer<Listener>.allocate(capacity: 1)
        memory.initialize(to: listener)
        return memory
    }

    /// nil if no compositor answers there. `path`: absolute.
    init?(_ path: String) {
        guard let display = wl_display_connect(path) else { return nil }
        guard let registry = wl_display_get_registry(display) else {
            wl_display_disconnect(display)
            return nil
        }
        (self.display, self.registry) = (display, registry)
        wl_registry_add_listener(registry, Self.registryListener, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        wl_registry_destroy(registry)
        wl_display_disconnect(display)
    }

    /// Waits until the compositor has carried out all requests. Returns false if it does not answer.
    func settle() -> Bool {
        guard let callback = wl_display_sync(display) else { return false }
        defer { wl_callback_destroy(callback) }
        isSettled = false
        wl_callback_add_listener(callback, Self.callbackListener, Unmanaged.passUnretained(self).toOpaque())
        while !isSettled { guard receive() else { return false } }
        return true
    }

    /// Carries out the events that have come, or waits for some.
    private func receive() -> Bool {
        guard wl_display_prepare_read(display) == 0 else { return wl_display_dispatch_pending(display) >= 0 }
        guard wl_display_flush(display) >= 0 else {
            wl_display_cancel_read(display)
            return false
        }
        var waiting = pollfd(fd: wl_display_get_fd(display), events: Int16(POLLIN), revents: 0)
        var ready: Int32
        repeat { ready = poll(&waiting, 1, Self.patience) } while ready < 0 && errno == EINTR
        guard ready == 1 else {
            wl_display_cancel_read(display)
            return false
        }
        return wl_display_read_events(display) >= 0 && wl_display_dispatch_pending(display) >= 0
    }

    /// Error with which the compositor ended the connection; nil if it did not. Libwayland prints the error's text.
    var error: String? {
        guard wl_display_get_error(display) == EPROTO else { return nil }
        var interface: UnsafePointer<wl_interface>?, object: UInt32 = 0
        let code = wl_display_get_protocol_error(display, &interface, &object)
        return "error \(code) of \(interface.map { String(cString: $0.pointee.name) } ?? "an object")"
    }
}
