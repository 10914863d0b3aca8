import Expectations
import Testing

@testable import Base

@Suite struct SourceColorimetryTests {
    private typealias Tags = SourceColorimetry.Tags

    static let sizes: [(Int, Int, SourceColorimetry.Matrix)] = [
        (720, 576, .bt601), (720, 480, .bt601), (1278, 576, .bt601), (64, 36, .bt601), (1024, 576, .bt601),
        (1280, 720, .bt709), (1280, 16, .bt709), (1920, 1080, .bt709), (768, 578, .bt709), (576, 1024, .bt709),
        (720, 577, .bt709),
    ]

    @Test(arguments: sizes)
    func theSizeDecidesWhereAVideoSaysNothing(_ width: Int, _ height: Int, _ matrix: SourceColorimetry.Matrix) {
        let colours = SourceColorimetry(Tags(), size: Size(width, height))
        expect(colours.matrix == matrix && colours.range == .limited && colours.transfer == .bt1886)
        expect(colours.assumed, equals: [.matrix, .transfer, .primaries, .range])
        expect(colours.words, equals: "\(matrix == .bt601 ? "BT.601" : "BT.709") (assumed)")
        expect(colours.remarks(ToneMapping()), equals: [])
    }

    @Test func primariesAndTransferFollowTheMatrix() {
        func primaries(_ tags: Tags, _ width: Int = 1920, _ height: Int = 1080) -> SourceColorimetry.Primaries {
            SourceColorimetry(tags, size: Size(width, height)).primaries
        }
        expect(primaries(Tags()), equals: .bt709)
        expect(primaries(Tags(), 720, 576), equals: .bt601With625Lines)
        expect(primaries(Tags(), 720, 480), equals: .bt601With525Lines)
        expect(primaries(Tags(matrix: .bt601)), equals: .bt601With625Lines)
        expect(primaries(Tags(matrix: .bt709), 64, 36), equals: .bt709)
        expect(primaries(Tags(matrix: .bt2020), 64, 36), equals: .bt2020)
        expect(primaries(Tags(matrix: .bt709, primaries: .displayP3)), equals: .displayP3)
        let colours = SourceColorimetry(Tags(matrix: .bt709), size: Size(64, 36))
        expect(colours.transfer == .bt1886 && colours.assumed == [.transfer, .primaries, .range])
    }

    @Test(arguments: [Size(64, 36), Size(1920, 1080)]) func imagesAndRGBAreAsTheyAre(_ size: Size) {
        let image = SourceColorimetry(Tags(range: .full), size: size, kind: .image)
        expect(image.matrix == .bt601 && image.range == .full && image.primaries == .bt709 && image.transfer == .srgb)
        let rgb = SourceColorimetry(Tags(matrix: .rgb), size: size)
        expect(rgb.range == .full && rgb.primaries == .bt709 && rgb.transfer == .srgb && rgb.words == "RGB")
    }

    @Test func wordsNameWhatWasAssumed() {
        func words(_ tags: Tags) -> String { SourceColorimetry(tags, size: Size(1280, 720)).words }
        expect(words(Tags(range: .full)), equals: "BT.709, full range (assumed)")
        expect(words(Tags(matrix: .bt601, range: .limited)), equals: "BT.601 (transfer and primaries assumed)")
        expect(words(Tags(matrix: .bt709, range: .limited, transfer: .bt1886, primaries: .bt709)), equals: "BT.709")
        expect(words(Tags(range: .limited, transfer: .bt1886, primaries: .bt709)), equals: "BT.709 (matrix assumed)")
        expect(
            words(Tags(matrix: .bt709, transfer: .bt1886, primaries: .bt2020)),
            equals: "BT.709, primaries BT.2020 (range assumed)")
        expect(words(Tags(matrix: .bt2020, range: .limited, transfer: .pq, primaries: .bt2020)), equals: "PQ, BT.2020")
        expect(
            SourceColorimetry(Tags(transfer: .pq), size: Size(1280, 720)).assumedNames,
            equals: [
                "matrix", "primaries", "range",
            ])
    }

    @Test func remarksStateWhatIsConvertedAndWhatIsNot() {
        func colours(_ tags: Tags) -> SourceColorimetry { SourceColorimetry(tags, size: Size(3840, 2160)) }
        func remarks(_ colours: SourceColorimetry, _ curve: ToneMapping.Curve = .bt2390) -> [String] {
            var toneMapping = ToneMapping()
            (toneMapping.curve, toneMapping.targetNits) = (curve, 100)
            return colours.remarks(toneMapping)
        }
        var pq = colours(Tags(matrix: .bt2020, transfer: .pq, primaries: .bt2020))
        expect(
            remarks(pq), equals: ["tone-mapped by BT.2390: 1000 nits (assumed) to 100", "BT.2020 mapped to BT.709"])
        pq.light.masteringPeak = 4000
        expect(remarks(pq)[..<2], equals: ["mastered at 4000 nits", "tone-mapped by BT.2390: 4000 nits to 100"])
        (pq.light.maxCLL, pq.light.maxFALL, pq.light.masteringBlack) = (1500, 300, 0.005)
        let levels = "mastered at 0.0050 to 4000 nits, MaxCLL 1500, MaxFALL 300"
        expect(remarks(pq, .clip)[..<2], equals: [levels, "clipped: 1500 nits to 100"])
        expect(remarks(pq, .off), equals: [levels, "PQ, BT.2020: shown without tone mapping"])
        expect(remarks(colours(Tags(matrix: .bt2020))), equals: ["BT.2020 mapped to BT.709"])
        expect(
            remarks(colours(Tags(matrix: .bt709, primaries: .other("smpte428")))),
            equals: ["smpte428: shown without gamut mapping"])
        expect(remarks(colours(Tags(matrix: .bt601))) + remarks(colours(Tags(matrix: .rgb))), equals: [])
    }

    @Test func aProfileOfDolbyVisionWithoutTagsHasItsOwnSamples() {
        for (profile, base, tags, matrix, transfer) in [
            (5, .own, Tags(), .other("ipt-c2"), .pq), (5, .own, Tags(matrix: .bt2020, transfer: .pq), .bt2020, .pq),
            (7, .pq, Tags(), .bt2020, .pq), (8, .hlg, Tags(), .bt2020, .hlg), (9, .sdr, Tags(), .bt709, .bt1886),
            (8, .pq, Tags(matrix: .bt2020, transfer: .hlg), .bt2020, .hlg), (10, .own, Tags(), .other("ipt-c2"), .pq),
        ] as [(Int, SourceColorimetry.DolbyVision.Base, Tags, SourceColorimetry.Matrix, SourceColorimetry.Transfer)] {
            var colours = SourceColorimetry(tags, size: Size(1920, 1080))
            colours.add(LightLevels(), SourceColorimetry.DolbyVision(profile: profile, base))
            expect(colours.matrix, equals: matrix)
            expect(
                colours.remarks(ToneMapping()).first,
                equals: "Dolby Vision profile \(profile): shown without its metadata")
            expect(colours.transfer, equals: transfer)
        }
    }

    @Test func onlyRealDifferencesKeepFramesFromBeingCompared() {
        func colours(_ tags: Tags, _ size: Size = Size(1280, 720)) -> SourceColorimetry {
            SourceColorimetry(tags, size: size)
        }
        let hd = colours(Tags()), sd = colours(Tags(), Size(720, 576))
        let image = SourceColorimetry(Tags(), size: Size(1280, 720), kind: .image)
        for (a, b) in [
            (hd, sd), (hd, image), (hd, colours(Tags(matrix: .rgb))), (hd, colours(Tags(transfer: .gamma28))),
        ] {
            expect(a.isComparable(with: b) && b.isComparable(with: a))
        }
        let pq = colours(Tags(matrix: .bt2020, transfer: .pq)), hlg = colours(Tags(matrix: .bt2020, transfer: .hlg))
        let wide = colours(Tags(matrix: .bt2020)), linear = colours(Tags(transfer: .linear))
        let all = [hd, pq, hlg, wide, linear]
        for a in all.indices {
            for b in all.indices {
                expect(all[a].isComparable(with: all[b]), equals: (a == b), "\(all[a].words) \(all[b].words)")
            }
        }
    }
}
