/// Address of a capture device of this machine: a camera, a display or a sound input. Parsed from its URL.
///
/// `v4l2:///dev/video0?size=1280x720&rate=30`, `x11grab://:0.0`, `pulse://alsa_input.usb`.
public struct DeviceAddress: Sendable, Hashable {
    public let kind: Kind
    /// Path of a camera, or name of a display or sound input; empty for the default sound input.
    public let name: String
    /// nil if the device chooses.
    public let size: Size?
    /// Frames a second; nil if the device chooses.
    public let rate: Int?

    public enum Kind: String, Sendable, CaseIterable { case v4l2, x11grab, pulse }

    public static func isDevice(_ source: String) -> Bool { kind(of: source) != nil }

    private static func kind(of source: String) -> Kind? { SourceName.scheme(of: source).flatMap(Kind.init) }

    /// Name of a sound input, empty for the default one; nil if `source` is no sound input.
    public static func soundInput(_ source: String) -> String? {
        guard let address = DeviceAddress(source), address.kind == .pulse else { return nil }
        return address.name
    }

    /// nil if `source` is no device or is malformed.
    public init?(_ source: String) {
        guard let kind = Self.kind(of: source), let address = try? DeviceAddress(source, kind) else { return nil }
        self = address
    }

    /// Says why the address is malformed and gives an example; nil if it is valid or names no device.
    public static func complaint(about source: String) -> String? {
        guard let kind = kind(of: source) else { return nil }
        do throws(Complaint) { _ = try DeviceAddress(source, kind) } catch { return error.text }
        return nil
    }

    private struct Complaint: Error {
        let text: String

        init(_ what: String, right: String) { text = "\(what); \(right) would be right" }
    }

    private init(_ source: String, _ kind: Kind) throws(Complaint) {
        let rest = source.dropFirst(kind.rawValue.count + "://".count)
        let mark = rest.firstIndex(of: "?")
        let name = String(rest[..<(mark ?? rest.endIndex)])
        switch kind {
        case .v4l2 where !name.hasPrefix("/dev/"):
            throw Complaint("no camera is named", right: "v4l2:///dev/video0".quoted)
        case .x11grab where !name.contains(":"): throw Complaint("no display is named", right: "x11grab://:0.0".quoted)
        case .pulse where mark != nil:
            throw Complaint("a sound input takes no parameters", right: "pulse://NAME".quoted)
        case .v4l2, .x11grab, .pulse: break
        }
        var size: Size?, rate: Int?
        let query = mark.map { rest[rest.index(after: $0)...] } ?? ""
        for part in query.split(separator: "&", omittingEmptySubsequences: false) where mark != nil {
            let fields = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch fields[0] {
            case "size" where fields.count == 2:
                let sides = fields[1].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
                guard sides.count == 2, sides.allSatisfy((16...16384).contains) else {
                    throw Complaint("\(fields[1].quoted) is not a size", right: "one such as 1280x720")
                }
                size = Size(sides[0], sides[1])
            case "rate" where fields.count == 2:
                guard let number = Int(fields[1]), (1...240).contains(number) else {
                    throw Complaint("\(fields[1].quoted) is not a rate", right: "a whole number from 1 to 240")
                }
                rate = number
            default:
                throw Complaint(
                    "\(fields[0].quoted) is not a parameter", right: "size=1280x720 and rate=30, with & between them,")
            }
        }
        (self.kind, self.name, self.size, self.rate) = (kind, name, size, rate)
    }
}

/// An IPv4 or IPv6 address, given by its 4 or 16 bytes.
public enum NetworkAddress {
    /// True if the address is loopback, link-local or "this host". A source from another machine may not name such an
    /// address.
    public static func staysHere(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4:
            // "This host", loopback, link-local.
            return bytes[0] == 0 || bytes[0] == 127 || bytes[0] == 169 && bytes[1] == 254
        case 16:
            if headsOfIPv4.contains(Array(bytes.prefix(12))) { return staysHere(Array(bytes.suffix(4))) }
            return bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        default:
            return true
        }
    }

    /// First twelve bytes of IPv6 addresses that contain an IPv4 address: zeros (also in `::` and `::1`), those of a
    /// mapped address, and the NAT64 prefix 64:ff9b::.
    private static let headsOfIPv4: Set<[UInt8]> = [
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
        [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
}
