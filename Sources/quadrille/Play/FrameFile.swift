import Base
import Glibc
import Media

/// A frame of the wall as a PNG.
enum FrameFile {
    /// Returns a name that no file in the working folder has, from quadrille-0001.png on. nil if all are taken.
    static func freeName() -> String? {
        (1...9999).lazy.map { "quadrille-" + String(10000 + $0).dropFirst() + ".png" }.first {
            var status = stat()
            return lstat($0, &status) != 0
        }
    }

    /// Writes a frame, and waits for the disk. Returns false if that failed, with no part of the file left behind.
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
