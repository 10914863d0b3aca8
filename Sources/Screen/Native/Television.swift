import CCEC
import Glibc

/// The television at the other end of an HDMI cable, through the kernel's CEC devices. Calls may take seconds.
public enum Television {
    public enum Power: Sendable { case standby, on }

    /// Returns the reason for a failure; nil if a television took the command.
    public static func set(_ power: Power) -> String? {
        var trouble: String?
        var isReported = false
        for number in 0..<mostDevices {
            let path = "/dev/cec\(number)"
            let file = open(path, O_RDWR | O_CLOEXEC)
            guard file >= 0 else {
                if errno != ENOENT { trouble = "\(path): \(String(cString: strerror(errno)))" }
                continue
            }
            defer { close(file) }
            if let failure = send(file, power) { trouble = "\(path): \(failure)" } else { isReported = true }
        }
        return isReported ? nil : trouble ?? "there is no /dev/cec0"
    }

    private static let mostDevices = 4

    // Opcodes and addresses, named as in the CEC standard.
    private static let imageViewOn: UInt8 = 0x04
    private static let standby: UInt8 = 0x36
    private static let activeSource: UInt8 = 0x82
    private static let everybody: UInt8 = 0xF
    private static let television: UInt8 = 0

    private static func send(_ file: Int32, _ power: Power) -> String? {
        guard let own = ownAddress(file) else { return String(cString: strerror(errno)) }
        switch power {
        case .standby: return transmit(file, [own << 4 | television, standby])
        case .on:
            if let failure = transmit(file, [own << 4 | television, imageViewOn]) { return failure }
            var place = UInt16(CEC_PHYS_ADDR_INVALID)
            guard qd_cec_place(file, &place) == 0, place != UInt16(CEC_PHYS_ADDR_INVALID) else { return nil }
            return transmit(file, [own << 4 | everybody, activeSource, UInt8(place >> 8), UInt8(place & 0xff)])
        }
    }

    /// Returns our logical address as a player, claimed if necessary; nil on failure, with errno set.
    private static func ownAddress(_ file: Int32) -> UInt8? {
        var addresses = cec_log_addrs()
        guard qd_cec_addresses(file, &addresses) == 0 else { return nil }
        if addresses.num_log_addrs == 0 {
            addresses = cec_log_addrs()
            (addresses.num_log_addrs, addresses.cec_version) = (1, UInt8(CEC_OP_CEC_VERSION_1_4))
            addresses.primary_device_type.0 = UInt8(CEC_OP_PRIM_DEVTYPE_PLAYBACK)
            addresses.log_addr_type.0 = UInt8(CEC_LOG_ADDR_TYPE_PLAYBACK)
            addresses.all_device_types.0 = UInt8(CEC_OP_ALL_DEVTYPE_PLAYBACK)
            withUnsafeMutableBytes(of: &addresses.osd_name) { $0.copyBytes(from: "Quadrille".utf8) }
            guard qd_cec_claim(file, &addresses) == 0 else { return nil }
        }
        return addresses.log_addr.0
    }

    /// Returns the reason for a failure; nil if the message was acknowledged.
    private static func transmit(_ file: Int32, _ bytes: [UInt8]) -> String? {
        var message = cec_msg()
        message.len = UInt32(bytes.count)
        withUnsafeMutableBytes(of: &message.msg) { $0.copyBytes(from: bytes) }
        guard qd_cec_transmit(file, &message) == 0 else { return String(cString: strerror(errno)) }
        return message.tx_status & UInt8(CEC_TX_STATUS_OK) != 0 ? nil : "no television answers"
    }
}
