import Files
import Glibc
import WallCore

/// Where what was calibrated is kept: $XDG_STATE_HOME/quadrille/calibration.json.
enum KeptCalibration {
    static var path: String { folder + "/calibration.json" }

    static var folder: String {
        let home = environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (home ?? (environment("HOME") ?? ".") + "/.local/state") + "/quadrille"
    }

    /// Nothing, where it can't be read.
    static func read() -> Calibration {
        guard case .success((let bytes, _)) = bytes(of: path) else { return Calibration() }
        return Calibration(json: bytes)
    }

    static func write(_ calibration: Calibration) throws(FileTrouble) {
        makeFolder()
        try FileReplacement.write(calibration.json, to: path)
    }

    /// Two that listen at once would hear each other's clicks: a descriptor that is closed when it is done; nil: another
    /// one listens. Where the folder can't be made nothing is locked.
    static func lock() -> Int32? {
        makeFolder()
        let folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        if flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return folder }
        close(folder)
        return nil
    }

    /// With those that it lies in.
    static func makeFolder() {
        var place = path.startIndex
        while let slash = path[place...].dropFirst().firstIndex(of: "/") {
            mkdir(String(path[..<slash]), 0o700)
            place = slash
        }
    }

    /// Whether there was something to forget.
    static func forget() throws(FileTrouble) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw FileTrouble(path: path, number: errno) }
        return false
    }
}
