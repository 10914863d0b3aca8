import Base
import Files
import Glibc
import Threads

/// The memory left by a limit on the address space (`ulimit -v`).
///
/// A wall can do without more sources, decoders, frames and texts, so these stop short of the limit. The wall's threads
/// and small allocations still get their memory. Any thread may call.
///
/// Until libpulse is connected, `hasRoom` also leaves free the memory that libpulse will map.
public enum AddressSpace {
    /// Bytes left for everything else, most of it stacks of threads that come and go.
    private static let reserve = 160 << 20
    /// Bytes that a program needs after its start for its window and its threads. Measured with four films: with less,
    /// libraries abort the program.
    private static let leastAtStart = 224 << 20
    /// Bytes that libpulse maps when it connects: memory of both sides.
    private static let soundServer = 256 << 20

    /// Describes a limit that is too small for a program that has just started; nil if the limit suffices.
    public static func shortage(withSound: Bool) -> String? {
        guard let limit, let used else { return nil }
        let silent = used + leastAtStart
        let least = silent + (withSound ? soundServer : 0)
        guard limit < least else { return nil }
        return
            "the limit on its address space, \(limit >> 10) KiB (ulimit -v), is too small: it needs \(least >> 10) KiB"
            + (withSound ? ", with --no-audio \(silent >> 10) KiB" : "")
    }

    private static let isSoundServerAwaited = Locked(false)

    /// While true, the memory for the sound server's connection is left free.
    public static func awaitSoundServer(_ awaits: Bool) { isSoundServerAwaited.locked { $0 = awaits } }

    /// nil if there is no limit; then every check is free.
    private static let limit: Int? = {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limits) == 0, limits.rlim_cur != rlim_t.max else {
            return nil
        }
        return Int(clamping: limits.rlim_cur)
    }()

    /// Bytes of an open file with its demuxer.
    static let source = 8 << 20

    /// Bytes of libass with a first font, and of fontconfig's caches.
    public static let text = 24 << 20

    /// Bytes of a decoder: it holds about twenty frames for reordering, and its tables.
    static func decoder(of size: Size) -> Int { size.width * size.height * 3 / 2 * 24 + (16 << 20) }

    public static func hasRoom(for bytes: Int) -> Bool {
        guard let limit, let used else { return true }
        let awaited = isSoundServerAwaited.locked { $0 } ? soundServer : 0
        return used + bytes + awaited + reserve <= limit
    }

    /// Number of films, in their order, that can be open with their decoders at once, beside a sound server and a
    /// window; all of them if there is no limit. For a program that has not begun to play.
    public static func decodersThatFit(_ sizes: [Size]) -> Int {
        if limit == nil { return sizes.count }
        var bytes = soundServer + leastAtStart - reserve
        for (count, size) in sizes.enumerated() {
            bytes += source + decoder(of: size)
            if !hasRoom(for: bytes) { return count }
        }
        return sizes.count
    }

    /// Address space in use, in bytes, by the first number of /proc/self/statm, in pages.
    private static var used: Int? {
        guard case .success(let read) = bytes(of: "/proc/self/statm") else { return nil }
        let digits = String(decoding: read.bytes.prefix { (48...57).contains($0) }, as: UTF8.self)
        return Int(digits).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }
}

/// Lets one image be decoded at a time: the largest take half a gigabyte until they are scaled.
enum ImageDecoding {
    private static let places = Locked(1)

    static func inTurn<Result, Failure: Error>(_ decode: () throws(Failure) -> Result) throws(Failure) -> Result {
        places.wait { places -> Wait<Void> in
            guard places > 0 else { return .again(deadline: nil) }
            places -= 1
            return .done(())
        }
        defer { places.change { $0 += 1 } }
        return try decode()
    }
}
