import Glibc
import Media
import WallCore

/// A frame of the wall as a PNG.
enum FrameFile {
    /// Of no file in the working folder yet: quadrille-0001.png and on; nil: all are taken.
    static func freeName() -> String? {
        (1...9999).lazy.map { "quadrille-" + String(10000 + $0).dropFirst() + ".png" }.first {
            var status = stat()
            return lstat($0, &status) != 0
        }
    }

    /// false: it could not be written, and nothing of it is left behind. Waits for the disk.
    static func write(_ size: Size, _ pixels: [UInt32], to path: String) -> Bool {
        guard !size.isEmpty, pixels.count == size.width * size.height else { return false }
        do {
            let film = try Film(FilmSpec(format: .frame, size: size, rate: FrameRate(30, 1)), file: path)
            var copy = pixels
            try copy.withUnsafeMutableBytes { bytes in
                try film.add(bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), stride: size.width * 4)
            }
            try film.finish()
            return true
        } catch {
            return false
        }
    }
}
