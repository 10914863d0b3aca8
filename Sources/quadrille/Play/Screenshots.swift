import Base
import Commands
import Console
import Engine
import Feeds
import Glibc
import Media
import Player
import Scene
import Screen
import Threads
import Tools

/// Frames of the wall, and of single tiles, as PNG files. Used by the thread "files".
struct Screenshots: Sendable {
    let runner: LockedWall
    /// From the command line; nil for the user's folder of pictures.
    let folder: String?

    /// Longest wait for a frame in its source's own size, in nanoseconds.
    private static let longestWait: Int64 = 2_000_000_000

    typealias Picture = (size: Size, pixels: [UInt32])

    /// Returns the frame of a tile in its source's own size, or as large as it is decoded within two seconds.
    func picture(of tile: TileID) throws(ControlError) -> Picture {
        runner.change { wall, now in wall.decodeInFullSize(tile, at: now) }
        let deadline = monotonicNanoseconds() + Self.longestWait
        // A tile without a frame is not waited for.
        _ = runner.wait(until: deadline) { wall, _ -> Void? in
            let isSettled = wall.picture(of: tile)?.isFullSize ?? true
            return isSettled ? () : nil
        }
        let found = runner.read { wall, _ in wall.picture(of: tile) }
        runner.change { wall, now in wall.decodeInFullSize(nil, at: now) }
        guard let found, let pixels = found.pixels else {
            throw ControlError(.commandError, because: "\(name(of: tile)) shows no frame of its own")
        }
        return (found.target.size, pixels)
    }

    /// Writes a picture, and waits for the disk. An existing file is replaced. If that fails, no part of the file is left
    /// behind.
    func write(_ picture: Picture, to path: String) throws(ControlError) {
        var (size, pixels) = picture
        do {
            guard !size.isEmpty, pixels.count == size.width * size.height else {
                throw FilmTrouble("\(path): there is no frame to write")
            }
            let film = try Film(FilmSpec(format: .frame, size: size, rate: FrameRate(30, 1)), file: path)
            do {
                try pixels.withUnsafeMutableBytes { bytes in
                    try film.add(bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), stride: size.width * 4)
                }
            } catch {
                film.abandon()
                throw error
            }
            try film.finish()
        } catch {
            throw ControlError(.commandError, because: (error as? FilmTrouble)?.what ?? "\(path): \(error)")
        }
    }

    /// Writes a picture into a new file, and returns its path. Its name has the date, the time and the tile, or else
    /// the focused one.
    func save(_ picture: Picture, of tile: TileID?) throws(ControlError) -> String {
        let path = try newFile(
            named: tile.map(name) ?? runner.read { wall, _ in wall.focus.flatMap(wall.name) } ?? "wall")
        do throws(ControlError) { try write(picture, to: path) } catch {
            unlink(path)
            throw error
        }
        return path
    }

    private func name(of tile: TileID) -> String {
        runner.read { wall, _ in wall.name(of: tile) } ?? "the tile"
    }

    /// Makes an empty file that was not there. Without a home, the file goes to the working folder.
    private func newFile(named name: String) throws(ControlError) -> String {
        let folders = folder.map { [$0] } ?? [UserFolder.pictures, "."]
        var trouble = ""
        for folder in folders {
            if let number = UserFolder.make(folder) {
                trouble = "\(folder): \(String(cString: strerror(number)))"
                continue
            }
            var instant = SystemTime.nanoseconds
            while true {
                let path = "\(folder)/\(DatedName.of(name, at: SystemTime.name(instant))).png"
                let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
                if file >= 0 {
                    close(file)
                    return path
                }
                guard errno == EEXIST else {
                    trouble = "\(path): \(String(cString: strerror(errno)))"
                    break
                }
                instant &+= 1_000_000
            }
        }
        throw ControlError(.commandError, because: trouble)
    }
}

extension PlacedFrame {
    /// The pixels of a tile's picture, with the colours of the screen; nil if there is no memory for them. Any thread
    /// may call.
    var pixels: [UInt32]? {
        guard let paper = RenderTarget(size: target.size, texts: nil) else { return nil }
        let view = View(tile: TileID(number: 0), rect: target, content: .frame(self), label: nil)
        paper.paint(Scene(size: target.size, background: .black, views: [view]))
        return withExtendedLifetime(paper) { paper.raster.pixels }
    }
}
