import Media
import WallCore

/// A picture of the wall as a PNG.
enum PictureFile {
    /// false: it could not be written, and nothing of it is left behind. Waits for the disk.
    static func write(_ size: Size, _ pixels: [UInt32], to path: String) -> Bool {
        guard !size.isEmpty, pixels.count == size.width * size.height else { return false }
        do {
            let film = try Film(FilmSpec(format: .picture, size: size, rate: PictureRate(30, 1)), file: path)
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
