import Base
import Expectations
import Foundation
import TestKit
import Testing

@testable import Heard
@testable import Media

@Suite struct TakeFileTests {
    private func noise(_ count: Int) -> [Float] {
        var numbers = SeededNumbers(3)
        return (0..<count * 2).map { _ in Float.random(in: -0.5...0.5, using: &numbers) }
    }

    /// All samples of a file, read as a voice does.
    private func read(_ path: String) throws -> [Float] {
        let reader = try SoundReader.open(SoundSource(path), deadline: Deadline())
        var samples: [Float] = []
        try reader.seek(to: 0)
        while case .block(let block) = try reader.next() { samples += block.samples }
        return samples
    }

    @Test func whatIsWrittenIsThereWholeAndBefore() throws {
        let path = Scratch.path("take.flac"), written = noise(100_000)
        let file = try TakeFile(path)
        for first in stride(from: 0, to: written.count, by: 4800) {
            try file.write(written[first..<min(written.count, first + 4800)])
        }
        // The file as it is if the process is killed now.
        let early = try read(path)
        expect(early.count >= written.count - 2 * 4800 && early.count <= written.count)
        try file.finish()
        let whole = try read(path)
        expect(whole.count, equals: written.count)
        expect(zip(whole, written).allSatisfy { abs($0 - $1) < 1e-6 })
        expect(file.length, equals: SoundGrid.time(of: 100_000))
    }

    @Test func aFileThatIsThereIsLeftAlone() throws {
        let path = try Scratch.file("take.flac", "mine")
        #expect(throws: FilmTrouble.self) { try TakeFile(path) }
        try expect(String(contentsOfFile: path, encoding: .utf8), equals: "mine")
    }

    @Test func aTakeLiesWhereItsJSONSays() throws {
        let folder = try Scratch.newFolder("takes")
        let note = TakeNote(
            tile: "a", source: "song.mp4", item: 0, start: .seconds(3), latency: .zero, date: "2026")
        try Data(note.json).write(to: URL(fileURLWithPath: folder + "/take.json"))
        expect(TakePlace.beside(folder + "/take.flac"), equals: TakePlace(start: .seconds(3), rate: .one))
        expect(TakePlace.beside(folder + "/other.flac"), equals: nil)
        var higher = note
        higher.key = 3
        try Data(higher.json).write(to: URL(fileURLWithPath: folder + "/higher.json"))
        expect(TakePlace.beside(folder + "/higher.flac"), equals: TakePlace(start: .seconds(3), rate: .one, key: 3))
        let place = TakePlace(start: .seconds(3), rate: Rate(0.5))
        expect(place.time(at: .seconds(4)) == .seconds(2) && place.time(at: .seconds(2)) == -.seconds(2))
        expect(place.rate(beside: Rate(0.5)) == .one && place.rate(beside: .one) == Rate(2))
    }

    // MARK: an input's clock

    @Test func anInputInTimeIsUntouched() {
        let heard = noise(48_000 * 4)
        var input = PacedInput(), taken: [Float] = [], anew = 0
        for first in stride(from: 0, to: 48_000 * 4, by: 2400) {
            let chunk = heard[first * 2..<(first + 2400) * 2].withUnsafeBufferPointer {
                input.take($0, heardAt: .seconds(50) + SoundGrid.time(of: Int64(first)), .slowly)
            }
            expect(chunk.heardAt, equals: .seconds(50) + SoundGrid.time(of: Int64(taken.count / 2)))
            taken += chunk.samples
            if chunk.isAnew { anew += 1 }
        }
        expect(anew == 1 && taken.count > heard.count - 100)
        expect(taken.elementsEqual(heard.prefix(taken.count)))
    }

    /// Clocks that are off by 200 parts in a million, either way, for five minutes.
    @Test(arguments: [0.9998, 1.0002]) func anInputThatRunsAwayIsHeldInTime(pace: Double) {
        let block = [Float](repeating: 0, count: 4800)
        var input = PacedInput(), made: Int64 = 0, anew = 0
        for number in 0..<6000 {
            let heardAt = Time(seconds: 50 + Double(number) * 0.05 * pace)
            let chunk = block.withUnsafeBufferPointer { input.take($0, heardAt: heardAt, .slowly) }
            made += Int64(chunk.samples.count / 2)
            if chunk.isAnew { anew += 1 }
            // The last sample returned was heard 50 ms after this block began.
            let off = (chunk.heardAt + SoundGrid.time(of: Int64(chunk.samples.count / 2))).seconds - heardAt.seconds
            if number > 10 { expect(abs(off - 0.05 * pace), below: 0.004, "after \(number) blocks") }
        }
        expect(anew, equals: 1)
    }
}
