import Glibc
import WallCore

/// What a limit on the address space (`ulimit -v`) leaves.
///
/// Sources, decoders, pictures and texts are what a wall can do without: they stop short of the limit, so that what it can't do
/// without (its threads, every small piece) still gets its memory. Any thread may ask.
public enum AddressSpace {
    /// Left to everything else, most of it stacks of threads that come and go.
    private static let reserve = 160 << 20
    /// What a program that has just begun still needs for its window, its threads and the sound. Measured with four
    /// films: with less, libraries that it is built on end it.
    private static let leastAtStart = 224 << 20

    /// What is wrong with the limit of a program that has just begun; nil: nothing.
    public static var shortage: String? {
        guard let limit, let used, limit < used + leastAtStart else { return nil }
        let least = (used + leastAtStart) >> 10
        return "the limit on its address space, \(limit >> 10) KiB (ulimit -v), is too small: it needs \(least) KiB"
    }

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

    /// A decoder holds some twenty pictures for what is to come, and its tables.
    static func decoder(of size: Size) -> Int { size.width * size.height * 3 / 2 * 24 + (16 << 20) }

    public static func hasRoom(for bytes: Int) -> Bool {
        guard let limit, let used else { return true }
        return used + bytes + reserve <= limit
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
