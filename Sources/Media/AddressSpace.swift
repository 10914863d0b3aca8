import Glibc
import Threads
import WallCore

/// What a limit on the address space (`ulimit -v`) leaves.
///
/// Sources, decoders, frames and texts are what a wall can do without: they stop short of the limit, so that what it can't do
/// without (its threads, every small segment) still gets its memory. Any thread may ask.
public enum AddressSpace {
    /// Left to everything else, most of it stacks of threads that come and go.
    private static let reserve = 160 << 20
    /// What a program that has just begun still needs for its window and its threads. Measured with four films: with
    /// less, libraries that it is built on end it.
    private static let leastAtStart = 224 << 20
    /// What libpulse maps when it reaches its server: memory of both.
    private static let soundServer = 256 << 20

    /// What is wrong with the limit of a program that has just begun; nil: nothing.
    public static func shortage(withSound: Bool) -> String? {
        guard let limit, let used else { return nil }
        let silent = used + leastAtStart
        let least = silent + (withSound ? soundServer : 0)
        guard limit < least else { return nil }
        return
            "the limit on its address space, \(limit >> 10) KiB (ulimit -v), is too small: it needs \(least >> 10) KiB"
            + (withSound ? ", with --no-audio \(silent >> 10) KiB" : "")
    }

    private static let isSoundServerAwaited = Monitor(false)

    /// While it is awaited, what the sound server's connection will map is left free.
    public static func awaitSoundServer(_ awaits: Bool) { isSoundServerAwaited.locked { $0 = awaits } }

    /// nil: there is no limit, and asking costs nothing.
    private static let limit: Int? = {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limits) == 0, limits.rlim_cur != rlim_t.max else {
            return nil
        }
        return Int(clamping: limits.rlim_cur)
    }()

    /// An open file with its demuxer.
    static let source = 8 << 20

    /// libass with a first font, and fontconfig's caches.
    public static let text = 24 << 20

    /// A decoder holds some twenty frames for what is to come, and its tables.
    static func decoder(of size: Size) -> Int { size.width * size.height * 3 / 2 * 24 + (16 << 20) }

    public static func hasRoom(for bytes: Int) -> Bool {
        guard let limit, let used else { return true }
        let awaited = isSoundServerAwaited.locked { $0 } ? soundServer : 0
        return used + bytes + awaited + reserve <= limit
    }

    /// How many of these films, in their order, can be open with their decoders at once beside a sound server and a window;
    /// all of them where there is no limit. For a program that has not begun to play.
    public static func decodersThatFit(_ sizes: [Size]) -> Int {
        if limit == nil { return sizes.count }
        var bytes = soundServer + leastAtStart - reserve
        for (count, size) in sizes.enumerated() {
            bytes += source + decoder(of: size)
            if !hasRoom(for: bytes) { return count }
        }
        return sizes.count
    }

    /// By the first number of /proc/self/statm, in pages.
    private static var used: Int? {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            let count = read(file, buffer.baseAddress, buffer.count)
            let digits = buffer.prefix(max(0, count)).prefix { (48...57).contains($0) }
            guard !digits.isEmpty else { return nil }
            return digits.reduce(0) { $0 * 10 + Int($1 - 48) } * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
    }
}
