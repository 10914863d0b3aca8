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

    /// It is there, and can't be read.
    struct Damage: Error, CustomStringConvertible { let description: String }

    /// Nothing, where nothing was kept.
    static func read() throws(Damage) -> Calibration {
        let remedy = "quadrille calibrate --forget would be right"
        switch bytes(of: path) {
        case .success((let bytes, _)):
            if let calibration = Calibration(json: bytes) { return calibration }
            throw Damage(description: "\(path): not what calibrate writes; \(remedy)")
        case .failure(let trouble):
            if access(path, F_OK) != 0 { return Calibration() }
            throw Damage(description: "\(path): \(trouble); \(remedy)")
        }
    }

    /// Nothing, where it can't be read.
    static var known: Calibration { (try? read()) ?? Calibration() }

    /// Adds to what is kept, of which nothing is lost; answers why not.
    static func keep(_ change: (inout Calibration) -> Void) -> (reason: String, status: Int32)? {
        var calibration: Calibration
        do throws(Damage) { calibration = try read() } catch { return ("\(error)", ExitStatus.failed) }
        change(&calibration)
        do throws(FileTrouble) { try write(calibration) } catch { return ("\(error)", ExitStatus.unwritten) }
        return nil
    }

    private static func write(_ calibration: Calibration) throws(FileTrouble) {
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
