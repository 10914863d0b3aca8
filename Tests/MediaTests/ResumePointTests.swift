import Testing

@testable import Media
@testable import WallCore

/// Reels that follow another in the same source, each left in the middle.
@Suite struct ResumePointTests {
    private let rate = PictureRate(25, 1)

    /// The first picture at `from`, and how often the source was moved for it.
    private func jump(
        _ source: Source, _ decoder: Decoder, to from: Time, taking count: Int = 1
    ) throws -> (numbers: [Int], moves: Int) {
        let before = source.moves
        let reader = PictureReader(source: source, decoder: decoder, from: from, until: nil)
        defer { reader.leave() }
        var numbers: [Int] = []
        while numbers.count < count, case .picture(let picture) = try reader.next() {
            numbers.append(try number(of: picture.codecFrame))
        }
        return (numbers, source.moves - before)
    }

    @Test(arguments: PictureReaderTests.kinds)
    func jumpsOnAndBackAreExactInEveryContainer(_ kind: PictureReaderTests.Kind) throws {
        let folder = try Folder()
        let path = try folder.numbered(
            kind.name, pictures: 60, rate: "\(kind.rate.numerator)/\(kind.rate.denominator)", kind.arguments)
        let (source, decoder) = try open(path)
        for target in [3, 4, 9, 9, 10, 8, 30, 31, 33, 45, 20, 21, 59, 59, 58, 2, 40, 57, 0, 59] {
            let at = picture(target, of: kind.rate)
            #expect(try jump(source, decoder, to: at).numbers == [target])
            #expect(try jump(source, decoder, to: at + .milliseconds(7), taking: 2).numbers.first == target)
        }
    }

    @Test func aTargetAheadInTheSameGroupNeedsNoSeek() throws {
        let folder = try Folder()
        let (source, decoder) = try open(try folder.numbered("long.mp4", pictures: 240, Folder.longGroup))
        _ = try jump(source, decoder, to: picture(150, of: rate))
        for target in [150, 153, 156, 160, 176, 180, 210] {
            let before = source.moves
            #expect(try jump(source, decoder, to: picture(target, of: rate), taking: 3).numbers[0] == target)
            #expect(source.moves - before < 45)
        }
        // A decoded picture is there at once.
        #expect(try jump(source, decoder, to: picture(212, of: rate)).moves == 0)
    }

    @Test func aKeyPictureOnTheWayIsSoughtInstead() throws {
        let folder = try Folder()
        let arguments = Folder.x264 + ["-g", "20", "-keyint_min", "20", "-sc_threshold", "0", "-bf", "2"]
        let (source, decoder) = try open(try folder.numbered("short.mp4", pictures: 240, arguments))
        _ = try jump(source, decoder, to: picture(5, of: rate))
        let far = try jump(source, decoder, to: picture(202, of: rate))
        #expect(far.numbers == [202])
        #expect(far.moves < 20)
    }

    @Test func aSourceThatSomebodyElseMovedIsSoughtAgain() throws {
        let folder = try Folder()
        let (source, decoder) = try open(try folder.numbered("long.mp4", pictures: 100, Folder.longGroup))
        _ = try jump(source, decoder, to: picture(20, of: rate))
        let other = try Decoder.open(for: source, threads: 1)
        _ = try jump(source, other, to: picture(60, of: rate))
        #expect(try jump(source, decoder, to: picture(25, of: rate)).numbers == [25])
        #expect(try jump(source, other, to: picture(62, of: rate)).numbers == [62])
    }

    @Test func pictureThatNobodyWantsAnyMoreIsGivenUpAndTheNextOneIsExact() throws {
        let folder = try Folder()
        let (source, decoder) = try open(try folder.numbered("long.mp4", pictures: 240, Folder.longGroup))
        for (asked, next) in [(50, 220), (10, 100), (30, 31), (7, 3)] {
            var questions = 0
            let reader = PictureReader(source: source, decoder: decoder, from: picture(200, of: rate), until: nil) {
                questions += 1
                return questions < asked
            }
            guard case .abandoned = try reader.next() else { return #expect(Bool(false), "it went on") }
            reader.leave()
            #expect(try jump(source, decoder, to: picture(next, of: rate)).numbers == [next])
            _ = try jump(source, decoder, to: .zero)
        }
    }

    @Test func anUnevenFilmIsExactThoughPicturesAreLeftOut() throws {
        let folder = try Folder()
        _ = try folder.numbered("even.mkv", pictures: 60, Folder.longGroup)
        try folder.ffmpeg(
            ["-i", "even.mkv", "-vf", "select='not(between(n,10,29))'", "-fps_mode", "vfr"] + Folder.longGroup
                + ["vfr.mkv"])
        let (source, decoder) = try open(folder.file("vfr.mkv"))
        for (at, shown) in [(4, 4), (28, 9), (31, 31), (12, 9), (44, 44), (29, 9), (30, 30)] {
            let from = picture(at, of: rate) + .milliseconds(3)
            #expect(try jump(source, decoder, to: from).numbers == [shown], "at \(at)")
        }
    }
}
