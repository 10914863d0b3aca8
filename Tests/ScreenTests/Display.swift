import Glibc

/// A private X server without a screen, which ends with this object. Open windows after it, and close them before it.
final class Display {
    private var server = pid_t()

    init(depth: Int = 24) throws {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t(), noSignals = sigset_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // Test threads block signals; the server must not, or it would not end.
        posix_spawnattr_init(&attributes)
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x\(depth)", "-nolisten", "tcp"]
        var arguments = words.map { strdup($0) } + [nil]
        let status = posix_spawnp(&server, "Xvfb", &actions, &attributes, &arguments, environ)
        arguments.forEach { free($0) }
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
        close(ends[1])
        defer { close(ends[0]) }
        if status != 0 { throw NoServer() }
        // The number comes when the server accepts connections. The end of its line comes separately.
        var digits = "", byte: UInt8 = 0
        while read(ends[0], &byte, 1) == 1, byte != UInt8(ascii: "\n") { digits.append(Character(UnicodeScalar(byte))) }
        if digits.isEmpty { throw NoServer() }
        setenv("DISPLAY", ":" + digits, 1)
        unsetenv("WAYLAND_DISPLAY")
        setenv("SDL_VIDEODRIVER", "x11", 1)
    }

    struct NoServer: Error {}

    deinit {
        kill(server, SIGTERM)
        waitpid(server, nil, 0)
        unsetenv("DISPLAY")
        unsetenv("SDL_VIDEODRIVER")
    }
}
