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
            let (head, tail) = (bytes.prefix(12), Array(bytes.suffix(4)))
            if head.allSatisfy({ $0 == 0 }) {
                return bytes.prefix(15).allSatisfy { $0 == 0 } && bytes[15] <= 1 || staysHere(tail)
            }
            // IPv4 in IPv6: mapped, or by the NAT64 prefix 64:ff9b::.
            if head.elementsEqual(mapped) || head.elementsEqual(translated) { return staysHere(tail) }
            return bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        default:
            return true
        }
    }

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    private static let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
}
