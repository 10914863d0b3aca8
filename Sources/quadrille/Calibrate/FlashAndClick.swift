import Base
import Console
import Files
import Glibc
import Measurement
import Player

/// `quadrille calibrate --by-eye`: a wall that plays a flash and a click, which `play`'s loop runs.
enum FlashAndClick {
    private static let size = Size(160, 90)
    private static let rate = 60
    /// Frames of the flash. The click begins with the first.
    private static let flash = 30..<34

    /// `start`: time at which the program began.
    static func play(in window: WindowOptions, since start: Int64) throws -> Int32 {
        let before = try KeptCalibration.read()
        KeptCalibration.makeFolder()
        let folder = KeptCalibration.folder + "/by-eye-\(getpid())"
        // A folder of that name is left from a process that was killed.
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw Failure("\(folder): \(String(cString: strerror(errno)))")
        }
        let files = ["flash.y4m": film, "click.wav": sound, "flash.json": layout]
        let remove: @Sendable () -> Void = {
            for name in ["flash.y4m", "click.wav", "flash.json"] { unlink(folder + "/" + name) }
            rmdir(folder)
        }
        do throws(FileTrouble) {
            for (name, bytes) in files { try FileReplacement.write(bytes, to: folder + "/" + name) }
        } catch {
            remove()
            throw Failure("\(error)")
        }
        var play = PlayOptions(.layout(folder + "/flash.json"), window)
        let delay = Int(((before.screen?.late ?? .zero).seconds * 1000).rounded())
        play.wall.change { $0.audio.statedDelay = delay }
        let test = PlayCommand.Test { wall, now in
            wall.beginTestByEye(at: now)
        } end: { runner, status in
            remove()
            return Failure.status { try end(runner.read { wall, _ in wall.delayByEye }, status) }
        }
        defer { remove() }
        return PlayCommand(play, start: start, test: test).run()
    }

    /// Keeps the delay at which flash and click coincide, and returns the exit status. `delay`: nil if the user chose
    /// none.
    private static func end(_ delay: Int?, _ status: Int32) throws -> Int32 {
        guard let delay else {
            if status == 1 { printLine("quadrille: nothing is kept") }
            return status
        }
        try KeptCalibration.keep {
            $0.screen = Calibration.Lateness(
                late: .milliseconds(Int64(delay)), spread: .zero, date: SystemTime.text(SystemTime.nanoseconds))
        }
        return printOutput(
            [
                "the screen is \(delay) ms late; sound is delayed by that unless audio.delay is set",
                "kept in \(KeptCalibration.path); quadrille calibrate --forget forgets it",
            ], status: status)
    }

    // MARK: files

    private static let layout = Array(
        """
        {"title": "Calibrate", "window": {"size": [640, 360]},
         "tiles": [{"play": {"src": "flash.y4m", "audio": {"src": "click.wav"}}}]}
        """.utf8)

    /// A second of video, dark but for the flash.
    private static var film: [UInt8] {
        var bytes = Array("YUV4MPEG2 W\(size.width) H\(size.height) F\(rate):1 Ip A1:1 C420jpeg\n".utf8)
        let samples = size.width * size.height
        for frame in 0..<rate {
            let luma: UInt8 = flash.contains(frame) ? 235 : 24
            bytes += "FRAME\n".utf8
            bytes += [UInt8](repeating: luma, count: samples) + [UInt8](repeating: 128, count: samples / 2)
        }
        return bytes
    }

    /// A second of mono, silent but for the click.
    private static var sound: [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 255) } }
        let first = SoundGrid.rate * flash.lowerBound / rate
        var samples = [UInt8](repeating: 0, count: first * 2)
        for sample in Click.samples { samples += little(Int((sample * 32767).rounded()), 2) }
        samples += [UInt8](repeating: 0, count: SoundGrid.rate * 2 - samples.count)
        return Array("RIFF".utf8) + little(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
            + little(1, 2) + little(1, 2) + little(SoundGrid.rate, 4) + little(SoundGrid.rate * 2, 4) + little(2, 2)
            + little(16, 2) + Array("data".utf8) + little(samples.count, 4) + samples
    }
}
