/// The outputs of a Wayland compositor that lets clients switch them (wlr-output-power-management). Calls may take
/// seconds.
public enum WaylandOutputs {
    public enum Power: UInt32, Sendable { case off = 0, on = 1 }

    /// True if the environment names a compositor.
    public static var mayBeThere: Bool { WaylandConnection.path != nil }

    private static let manager = "zwlr_output_power_manager_v1"

    /// Returns why it failed; nil if all outputs were switched.
    public static func set(_ power: Power) -> String? { set(power, at: WaylandConnection.path) }

    static func set(_ power: Power, at path: String?) -> String? {
        guard let path, let connection = WaylandConnection(path) else {
            return "no Wayland compositor answers"
        }
        let registry = connection.newObject()
        guard connection.request(WaylandConnection.display, 1, WaylandConnection.bytes(of: [registry])),
            let events = connection.settle()
        else { return "the Wayland compositor does not answer" }
        let globals = events.filter { $0.object == registry && $0.code == 0 }
        guard let manager = globals.first(where: { $0.text(4) == manager }) else {
            return "the Wayland compositor does not support switching its outputs"
        }
        /// Binds a global of the compositor, in its first version.
        func bind(_ global: WaylandConnection.Event) -> UInt32 {
            let object = connection.newObject()
            let place = WaylandConnection.bytes(of: [global.word(0)]) + WaylandConnection.bytes(of: global.text(4))
            _ = connection.request(registry, 0, place + WaylandConnection.bytes(of: [1, object]))
            return object
        }
        let switcher = bind(manager)
        var switches: Set<UInt32> = []
        for output in globals where output.text(4) == "wl_output" {
            let bound = bind(output), one = connection.newObject()
            _ = connection.request(switcher, 0, WaylandConnection.bytes(of: [one, bound]))
            _ = connection.request(one, 0, WaylandConnection.bytes(of: [power.rawValue]))
            switches.insert(one)
        }
        guard let answers = connection.settle() else { return "the Wayland compositor does not answer" }
        if let error = answers.first(where: { $0.object == WaylandConnection.display && $0.code == 0 }) {
            return "the Wayland compositor: \(error.text(8))"
        }
        let hasFailed = answers.contains { switches.contains($0.object) && $0.code == 1 }
        return hasFailed ? "the Wayland compositor can't switch an output" : nil
    }
}
