import Base
import Files
import Glibc
import Layout
import Lyrics

@testable import Media

/// Feeds a song's text to both readers of lyrics. Whatever it holds, words end after they begin, and mistakes are
/// reported in short lines.
@Sendable func feedLyrics(_ bytes: UnsafeBufferPointer<UInt8>) {
    let text = Array(bytes)
    _ = UltraStarReader.isSong(text)
    let (song, mistakes) = UltraStarReader.read(text)
    precondition(mistakes.map { $0.lines(path: "song.txt").allSatisfy { $0.utf8.count < 2000 } } ?? true)
    for lyrics in [song.lyrics, LRCReader.read(text), song.lyrics.of(.init(2))] {
        for (line, next) in zip(lyrics.lines, lyrics.lines.dropFirst()) { precondition(line.begin <= next.begin) }
        for syllable in lyrics.lines.flatMap(\.syllables) { precondition(syllable.end >= syllable.begin) }
        precondition(lyrics.lines.allSatisfy { $0.syllables.count <= 64 })
    }
}

/// Feeds a zip with a song: unpacks the members that it lists, and draws its CDG at some places.
@Sendable func feedZips(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard ftruncate(zipFile, 0) == 0, pwrite(zipFile, bytes.baseAddress, bytes.count, 0) == bytes.count,
        let zip = try? ZipFile(path: "/proc/self/fd/\(zipFile)")
    else { return }
    let most = 4 << 20
    for member in zip.directory.members.prefix(20) {
        guard let unpacked = try? zip.bytes(of: member, most: most) else { continue }
        precondition(unpacked.count == Int(member.size) && unpacked.count <= most)
    }
    guard let song = try? CDGSong.parts(of: zip.directory), let packets = try? zip.bytes(of: song.frames, most: most)
    else { return }
    let film = CDGFilm(packets, length: .seconds(Int64(song.sound?.size ?? 0) % 600), Deadline())
    var frame = [UInt8](repeating: 0, count: CDGScreen.frameSize)
    for place in [0, film.count - 1, film.count / 2, film.count / 3, film.count] {
        let count = frame.withUnsafeMutableBytes { film.read(at: place, into: $0) }
        precondition(count.map { $0 <= CDGScreen.frameSize && ($0 == 0) == (place == film.count) } ?? false)
    }
}

/// A file without a name.
private let zipFile: Int32 = {
    var name = Array("/tmp/quadrille-zip-XXXXXX".utf8CString)
    defer { unlink(name) }
    return mkstemp(&name)
}()
