import Commands

/// An interface of the player on the bus. Each property, method and signal is declared once; answers, signals and the
/// introspection follow from the declarations.
struct BusInterface: Sendable {
    let name: String
    let properties: [BusProperty]
    let methods: [BusMethod]
    var signals: [(name: String, arguments: [BusArgument])] = []

    func property(_ name: String) -> BusProperty? { properties.first { $0.name == name } }
    func method(_ name: String) -> BusMethod? { methods.first { $0.name == name } }

    /// Values of the properties, in the order in which they are declared.
    func values(_ state: PlayerState) -> [BusField] { properties.map { BusField($0.name, $0.get(state)) } }

    fileprivate var introspection: String {
        let content =
            methods.map { describe("method", $0.name, $0.arguments, " direction=\"in\"") }
            + properties.map(\.introspection) + signals.map { describe("signal", $0.name, $0.arguments) }
        return " <interface name=\"\(name)\">\n" + content.joined() + " </interface>\n"
    }

    /// Description of an object with these interfaces, in the form that D-Bus specifies.
    static func introspection(_ interfaces: [BusInterface]) -> String {
        """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>

        """ + standard + interfaces.map(\.introspection).joined() + "</node>\n"
    }

    private static let standard = """
         <interface name="org.freedesktop.DBus.Introspectable">
          <method name="Introspect"><arg name="xml" type="s" direction="out"/></method>
         </interface>
         <interface name="org.freedesktop.DBus.Properties">
          <method name="Get">
           <arg name="interface" type="s" direction="in"/><arg name="name" type="s" direction="in"/>
           <arg name="value" type="v" direction="out"/>
          </method>
          <method name="GetAll">
           <arg name="interface" type="s" direction="in"/><arg name="values" type="a{sv}" direction="out"/>
          </method>
          <method name="Set">
           <arg name="interface" type="s" direction="in"/><arg name="name" type="s" direction="in"/>
           <arg name="value" type="v" direction="in"/>
          </method>
          <signal name="PropertiesChanged">
           <arg name="interface" type="s"/><arg name="changed" type="a{sv}"/><arg name="invalidated" type="as"/>
          </signal>
         </interface>

        """
}

struct BusProperty: Sendable {
    typealias Getter = @Sendable (PlayerState) -> BusValue
    /// Returns the actions of another value. It has the property's type.
    typealias Setter = @Sendable (BusValue, PlayerState) -> [PlayerAction]

    let name: String
    let signature: String
    let change: Change
    let get: Getter
    /// nil if the property can only be read.
    let set: Setter?

    /// Whether `PropertiesChanged` announces another value. The text is that of D-Bus's annotation.
    enum Change: String, Sendable { case announced = "true", silent = "false", constant = "const" }

    init(
        _ name: String, _ signature: String, _ change: Change = .announced, get: @escaping Getter, set: Setter? = nil
    ) {
        (self.name, self.signature, self.change, self.get, self.set) = (name, signature, change, get, set)
    }

    /// A property that always has the same value.
    init(_ name: String, always value: BusValue) { self.init(name, value.signature, .constant, get: { _ in value }) }

    fileprivate var introspection: String {
        let annotation = "org.freedesktop.DBus.Property.EmitsChangedSignal"
        return """
              <property name="\(name)" type="\(signature)" access="\(set == nil ? "read" : "readwrite")">
               <annotation name="\(annotation)" value="\(change.rawValue)"/>
              </property>

            """
    }
}

struct BusMethod: Sendable {
    let name: String
    /// Arguments that the method takes. No method returns anything.
    let arguments: [BusArgument]
    /// Returns what the call does. The arguments have the declared types.
    let actions: @Sendable ([BusValue], PlayerState) throws(ControlError) -> [PlayerAction]

    init(
        _ name: String, _ arguments: [BusArgument],
        _ actions: @escaping @Sendable ([BusValue], PlayerState) throws(ControlError) -> [PlayerAction]
    ) { (self.name, self.arguments, self.actions) = (name, arguments, actions) }

    init(_ name: String, _ actions: @escaping @Sendable (PlayerState) -> [PlayerAction]) {
        self.init(name, []) { _, state in actions(state) }
    }

    var signature: String { arguments.map(\.signature).joined() }
}

typealias BusArgument = (name: String, signature: String)

/// Description of a method or a signal. `attribute`: that of its arguments.
private func describe(
    _ kind: String, _ name: String, _ arguments: [BusArgument], _ attribute: String = ""
) -> String {
    let content = arguments.map { "<arg name=\"\($0.name)\" type=\"\($0.signature)\"\(attribute)/>" }.joined()
    return "  <\(kind) name=\"\(name)\">\(content)</\(kind)>\n"
}
