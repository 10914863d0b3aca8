import Base
import Media

/// A frame of the wall as a PNG.
enum FrameFile {
    /// Writes a frame, and waits for the disk. If that fails, no part of the file is left behind.
    static func write(_ size: Size, _ pixels: [UInt32], to path: String) throws(FilmTrouble) {
        guard !size.isEmpty, pixels.count == size.width * size.height else {
            throw FilmTrouble("\(path): there is no frame to write")
        }
        let film = try Film(FilmSpec(format: .frame, size: size, rate: FrameRate(30, 1)), file: path)
        var copy = pixels
        do {
            try copy.withUnsafeMutableBytes { bytes in
                try film.add(bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), stride: size.width * 4)
            }
        } catch { throw error as? FilmTrouble ?? FilmTrouble("\(path): \(error)") }
        try film.finish()
    }
}
