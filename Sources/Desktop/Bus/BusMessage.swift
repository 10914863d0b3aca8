import CSystemd
import Glibc

/// A message that was received or is written. Belongs to the thread of its connection.
final class BusMessage {
    let handle: OpaquePointer

    /// Shares a message that sd-bus passes to a callback.
    init(received handle: OpaquePointer) { self.handle = sd_bus_message_ref(handle) }

    /// Takes ownership of the message that `make` makes.
    fileprivate init(made make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) throws(BusTrouble) {
        var handle: OpaquePointer?
        try checked(make(&handle))
        self.handle = handle!
    }

    deinit { sd_bus_message_unref(handle) }

    static func signal(
        _ bus: BusConnection, path: String, interface: String, name: String
    ) throws(BusTrouble) -> BusMessage {
        try BusMessage { sd_bus_message_new_signal(bus.handle, $0, path, interface, name) }
    }

    static func call(
        _ bus: BusConnection, _ destination: String, path: String, interface: String, method: String
    ) throws(BusTrouble) -> BusMessage {
        try BusMessage { sd_bus_message_new_method_call(bus.handle, $0, destination, path, interface, method) }
    }

    /// The answer to this call.
    func reply() throws(BusTrouble) -> BusMessage { try BusMessage { sd_bus_message_new_method_return(handle, $0) } }

    /// Answers this call with an error, at once.
    func refuse(_ name: String, _ reason: String) {
        name.withCString { name in
            reason.withCString { reason in
                var error = sd_bus_error(name: name, message: reason, _need_free: 0)
                _ = sd_bus_reply_method_error(handle, &error)
            }
        }
    }

    var interface: String? { sd_bus_message_get_interface(handle).map { String(cString: $0) } }
    var member: String { sd_bus_message_get_member(handle).map { String(cString: $0) } ?? "" }
    func hasSignature(_ signature: String) -> Bool { sd_bus_message_has_signature(handle, signature) > 0 }
    var isError: Bool { sd_bus_message_is_method_error(handle, nil) > 0 }

    /// Text of an error: its message, else its name.
    var errorText: String {
        guard let error = sd_bus_message_get_error(handle) else { return "no answer" }
        return (error.pointee.message ?? error.pointee.name).map { String(cString: $0) } ?? "no answer"
    }

    // MARK: reading

    /// Reads the next value, which has this type. nil if it has another one, or one that `BusValue` lacks.
    func read(_ signature: String) -> BusValue? {
        switch signature {
        case "b": readBasic(signature, Int32(0)).map { .flag($0 != 0) }
        case "x": readBasic(signature, Int64(0)).map { .integer($0) }
        case "d": readBasic(signature, 0.0).map { .number($0) }
        case "s": readText(signature).map { .text($0) }
        case "o": readText(signature).map { .path($0) }
        default: nil
        }
    }

    /// Reads the next value, a variant that holds this type.
    func readVariant(of signature: String) -> BusValue? {
        guard sd_bus_message_enter_container(handle, code("v"), signature) > 0 else { return nil }
        defer { sd_bus_message_exit_container(handle) }
        return read(signature)
    }

    /// Reads an unsigned number of 32 bits.
    func readCount() -> UInt32? { readBasic("u", UInt32(0)) }

    /// Reads a file and returns a descriptor of the caller's own.
    func readFile() -> Int32? {
        guard let file = readBasic("h", Int32(-1)) else { return nil }
        let own = fcntl(file, F_DUPFD_CLOEXEC, 3)
        return own >= 0 ? own : nil
    }

    private func readBasic<Value: BitwiseCopyable>(_ signature: String, _ start: Value) -> Value? {
        var value = start
        return sd_bus_message_read_basic(handle, code(signature), &value) > 0 ? value : nil
    }

    private func readText(_ signature: String) -> String? {
        readBasic(signature, nil as UnsafePointer<CChar>?)?.map { String(cString: $0) }
    }

    // MARK: writing

    func append(_ value: BusValue) throws(BusTrouble) {
        switch value {
        case .flag(let flag): try append("b", flag ? 1 : 0 as Int32)
        case .integer(let number): try append("x", number)
        case .number(let number): try append("d", number)
        case .text(let text): try appendText("s", text)
        case .path(let path): try appendText("o", path)
        case .texts(let texts):
            try within("a", "s") { () throws(BusTrouble) in
                for text in texts { try appendText("s", text) }
            }
        case .fields(let fields):
            try within("a", "{sv}") { () throws(BusTrouble) in
                for field in fields {
                    try within("e", "sv") { () throws(BusTrouble) in
                        try appendText("s", field.name)
                        try appendVariant(field.value)
                    }
                }
            }
        }
    }

    func appendVariant(_ value: BusValue) throws(BusTrouble) {
        try within("v", value.signature) { () throws(BusTrouble) in try append(value) }
    }

    private func append<Value: BitwiseCopyable>(_ signature: String, _ value: Value) throws(BusTrouble) {
        var value = value
        try checked(sd_bus_message_append_basic(handle, code(signature), &value))
    }

    private func appendText(_ signature: String, _ text: String) throws(BusTrouble) {
        try checked(text.withCString { sd_bus_message_append_basic(handle, code(signature), $0) })
    }

    /// `type`: "a" for an array, "e" for an entry of a dictionary, "v" for a variant.
    private func within(_ type: String, _ content: String, _ body: () throws(BusTrouble) -> Void) throws(BusTrouble) {
        try checked(sd_bus_message_open_container(handle, code(type), content))
        try body()
        try checked(sd_bus_message_close_container(handle))
    }
}

/// The letter of a type, as sd-bus takes it.
private func code(_ type: String) -> CChar { CChar(type.utf8.first!) }

/// A value on the bus. Each case has exactly one type of D-Bus.
enum BusValue: Hashable, Sendable {
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    /// Path of an object.
    case path(String)
    case texts([String])
    case fields([BusField])

    /// The type as D-Bus writes it.
    var signature: String {
        switch self {
        case .flag: "b"
        case .integer: "x"
        case .number: "d"
        case .text: "s"
        case .path: "o"
        case .texts: "as"
        case .fields: "a{sv}"
        }
    }

    var asFlag: Bool? { if case .flag(let value) = self { value } else { nil } }
    /// nil for infinity and for what is no number (NaN), which no property takes.
    var asNumber: Double? { if case .number(let value) = self, value.isFinite { value } else { nil } }
    var asText: String? { if case .text(let value) = self { value } else { nil } }
}

/// A name and its value, in a dictionary.
struct BusField: Hashable, Sendable {
    let name: String
    let value: BusValue

    init(_ name: String, _ value: BusValue) { (self.name, self.value) = (name, value) }
}
