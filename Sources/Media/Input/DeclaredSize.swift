import CFFmpeg

/// Returns the size in bytes that a Matroska or AVI file should have by its header; nil if unstated. A smaller file is
/// cut off. Leaves the container's position unchanged.
func declaredSize(of context: UnsafeMutablePointer<AVFormatContext>, _ container: String) -> Int64? {
    guard let io = context.pointee.pb, container.hasPrefix("matroska") || container == "avi" else { return nil }
    let place = avio_seek(io, 0, SEEK_CUR)
    guard place >= 0, avio_seek(io, 0, SEEK_SET) >= 0 else { return nil }
    defer { avio_seek(io, place, SEEK_SET) }
    var head = [UInt8](repeating: 0, count: 128)
    let count = Int(avio_read(io, &head, Int32(head.count)))
    guard count > 0 else { return nil }
    return container == "avi" ? riffSize(head[..<count]) : segmentEnd(head[..<count])
}

private func riffSize(_ head: ArraySlice<UInt8>) -> Int64? {
    guard head.count >= 8, head.starts(with: Array("RIFF".utf8)) else { return nil }
    return 8 + head[4..<8].reversed().reduce(0) { $0 << 8 | Int64($1) }
}

/// The EBML header precedes the one segment.
private func segmentEnd(_ head: ArraySlice<UInt8>) -> Int64? {
    var rest = head
    guard rest.starts(with: [0x1A, 0x45, 0xDF, 0xA3]), let length = elementSize(&rest),
        case let segment = rest.dropFirst(Int(clamping: length)), segment.starts(with: [0x18, 0x53, 0x80, 0x67])
    else { return nil }
    rest = segment
    guard let size = elementSize(&rest) else { return nil }
    return Int64(rest.startIndex) + size
}

/// Removes an element's four-byte id and its size. Returns nil if the size is unstated, as in live recordings.
private func elementSize(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    rest = rest.dropFirst(4)
    guard let first = rest.first, first != 0, case let count = first.leadingZeroBitCount + 1, rest.count >= count else {
        return nil
    }
    let bits = rest.prefix(count).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(count)
    let mask = (1 as UInt64) << UInt64(7 * count) - 1
    return bits & mask == mask ? nil : Int64(bits & mask)
}
