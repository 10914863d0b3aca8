import Files
import Glibc
import Measurement

/// The file with the calibration: $XDG_STATE_HOME/quadrille/calibration.json.
enum KeptCalibration {
    static var path: String { folder + "/calibration.json" }

    static var folder: String {
        let home = environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (home ?? (environment("HOME") ?? ".") + "/.local/state") + "/quadrille"
    }

    /// The file exists and can't be read.
    struct Damage: Error, CustomStringConvertible { let description: String }

    /// Reads the calibration; empty if there is no file.
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

    /// The calibration; empty if it can't be read.
    static var known: Calibration { (try? read()) ?? Calibration() }

    /// Changes the calibration and keeps the rest of it. Throws if it can't be read or written.
    static func keep(_ change: (inout Calibration) -> Void) throws {
        var calibration = try read()
        change(&calibration)
        makeFolder()
        try FileReplacement.write(calibration.json, to: path)
    }

    /// Takes the lock that keeps two calibrations from hearing each other's clicks. Returns a descriptor to close when
    /// done; nil if another process holds the lock. Nothing is locked if the folder can't be made.
    static func lock() -> Int32? {
        makeFolder()
        let folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        if flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return folder }
        close(folder)
        return nil
    }

    static func makeFolder() { _ = UserFolder.make(folder, mode: 0o700) }

    /// Returns true if there was a calibration to delete.
    static func forget() throws(FileTrouble) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw FileTrouble(path: path, number: errno) }
        return false
    }
}
