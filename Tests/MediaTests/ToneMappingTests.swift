import CColours
import CFFmpeg
import Expectations
import Glibc
import TestKit
import Testing

@testable import Base
@testable import Media

/// Frames of HDR and of wide gamuts, against the formulas of the standards in double precision.
@Suite struct ToneMappingTests {
    typealias Curve = ColourFormulas.Curve

    struct Case: Sendable, CustomTestStringConvertible {
        let curve: Curve
        /// Peak that the source states; nil for none.
        let peak: Int?
        let format: AVPixelFormat
        var target = 203

        var testDescription: String { "\(curve) \(peak ?? 0) nits, format \(format.rawValue), to \(target)" }
    }

    static let cases: [Case] =
        [nil, 400, 1000, 4000].flatMap { peak in
            [
                Case(curve: .pq, peak: peak, format: AV_PIX_FMT_YUV444P10LE),
                Case(curve: .hlg, peak: peak, format: AV_PIX_FMT_YUV444P10LE),
            ]
        } + [
            Case(curve: .pq, peak: 1000, format: AV_PIX_FMT_YUV420P10LE),
            Case(curve: .hlg, peak: nil, format: AV_PIX_FMT_YUV420P),
            Case(curve: .pq, peak: 1000, format: AV_PIX_FMT_P010LE),
            Case(curve: .pq, peak: 1000, format: AV_PIX_FMT_YUV444P12LE),
            Case(curve: .pq, peak: 1000, format: AV_PIX_FMT_GBRP10LE),
            Case(curve: .pq, peak: 1000, format: AV_PIX_FMT_GBRP),
            Case(curve: .pq, peak: 1000, format: AV_PIX_FMT_RGB48LE),
            Case(curve: .hlg, peak: nil, format: AV_PIX_FMT_RGB24),
            Case(curve: .pq, peak: 4000, format: AV_PIX_FMT_YUV444P10LE, target: 100),
            Case(curve: .pq, peak: 150, format: AV_PIX_FMT_YUV444P10LE),
        ]

    /// Signals of greys, of colours at the edge of BT.709, and of skin: BT.2020 from 0 to 1.
    private static let signals: [[Double]] = {
        let greys = (0...64).map { Array(repeating: Double($0) / 64, count: 3) }
        let colours: [[Double]] = [
            [0.45, 0.40, 0.36], [0.52, 0.45, 0.40], [0.38, 0.32, 0.28], [0.30, 0.22, 0.18], [0.40, 0.45, 0.50],
            [0.35, 0.45, 0.33], [0.50, 0.35, 0.33], [0.55, 0.54, 0.35], [0.33, 0.52, 0.55], [0.48, 0.35, 0.54],
        ]
        return greys + colours
    }()

    @Test(arguments: cases) func framesOfHDRAreShownByTheFormulas(_ wanted: Case) throws {
        let codes = Self.signals.map { ColourSquares.codes($0, wanted.format, ColourFormulas.weights2020) }
        let squares = ColourSquares(codes, wanted.format)
        let codecFrame = try squares.codecFrame()
        var colours = SourceColorimetry(
            SourceColorimetry.Tags(
                matrix: squares.isRGB ? .rgb : .bt2020, range: squares.isRGB ? .full : .limited,
                transfer: wanted.curve == .pq ? .pq : .hlg, primaries: .bt2020), size: codecFrame.storage)
        if wanted.curve == .pq {
            colours.light.maxCLL = wanted.peak
        } else {
            colours.light.masteringPeak = wanted.peak.map(Double.init)
        }
        codecFrame.decided = colours
        var settings = DecodeSettings()
        settings.toneMapping.targetNits = wanted.target
        let shown = try squares.shown(codecFrame, settings)
        for (index, code) in codes.enumerated() {
            let signal = ColourSquares.signal(code, wanted.format, ColourFormulas.weights2020)
            let due = ColourFormulas.shown(signal, wanted.curve, Double(wanted.peak ?? 1000), Double(wanted.target))
            // Another test has the colours outside of BT.709.
            guard due.allSatisfy({ (-0.0001...1.001).contains($0) }) else { continue }
            for channel in 0..<3 {
                let byte = 255 * pow(min(1, max(0, due[channel])), 1 / 2.4)
                expect(abs(Double(shown[index][channel]) - byte), atMost: 2, "\(signal): \(shown[index]), due \(due)")
            }
        }
    }

    /// The steps for all processors, and those for this one.
    @Test func eachInstructionSetGivesTheSame() throws {
        func row(_ plan: ColourPlan, _ steps: qd_colour_steps) -> [UInt32] {
            var numbers = SeededNumbers(7)
            // A width that no vector divides.
            let width = 333, most = UInt64(1) << UInt64(plan.bits) - 1
            let samples = (0..<3).map { _ in (0..<width).map { _ in UInt16(numbers.next() & most) } }
            var target = [UInt32](repeating: 0, count: width)
            let tables = ColourTables(plan, steps: steps)
            target.withUnsafeMutableBytes { bytes in
                samples[0].withUnsafeBufferPointer { first in
                    samples[1].withUnsafeBufferPointer { second in
                        samples[2].withUnsafeBufferPointer { third in
                            let row = ColourTables.Row<UInt16>(
                                samples: (first.baseAddress!, second.baseAddress!, third.baseAddress!),
                                target: bytes.baseAddress!)
                            tables.convert(0..<1, width: width, steps.find_words) { _ in row }
                        }
                    }
                }
            }
            return target
        }
        typealias Tags = SourceColorimetry.Tags
        for tags in [
            Tags(matrix: .bt2020, transfer: .pq, primaries: .bt2020),
            Tags(matrix: .bt2020, transfer: .hlg, primaries: .bt2020),
            Tags(matrix: .other("ictcp"), transfer: .pq, primaries: .bt2020),
            Tags(matrix: .rgb, range: .full, transfer: .srgb, primaries: .displayP3),
        ] {
            let colours = SourceColorimetry(tags, size: Size(64, 36))
            let mapping = try #require(ColourMapping(colours, ToneMapping()))
            for goal in [ColourPlan.Goal.mapped(mapping), .luminance(mapping), .colours] {
                let plan = try ColourPlan(colours, bits: 10, to: goal)
                let plain = row(plan, qd_plain_colour_steps().pointee)
                expect(plain == row(plan, qd_colour_steps().pointee) && Set(plain).count > 100, "\(tags), \(goal)")
            }
        }
    }

    /// A grey of 145 by the formulas. The content's own peak changes the curve, and not HLG's system.
    @Test func thePeakOfTheContentIsNotThatOfTheDisplay() throws {
        func grey(_ transfer: SourceColorimetry.Transfer, _ signal: Double, _ change: (inout LightLevels) -> Void)
            throws -> Int
        {
            let code = ColourSquares.codes(
                [signal, signal, signal], AV_PIX_FMT_YUV444P10LE, ColourFormulas.weights2020)
            let squares = ColourSquares([code], AV_PIX_FMT_YUV444P10LE), codecFrame = try squares.codecFrame()
            var colours = SourceColorimetry(
                SourceColorimetry.Tags(matrix: .bt2020, range: .limited, transfer: transfer, primaries: .bt2020),
                size: codecFrame.storage)
            change(&colours.light)
            codecFrame.decided = colours
            return try squares.shown(codecFrame, DecodeSettings())[0][0]
        }
        let usual = try grey(.hlg, 0.5) { _ in }
        try expect(abs(grey(.hlg, 0.5) { $0.maxCLL = 300 } - usual), atMost: 1)
        try expect(abs(grey(.hlg, 0.5) { ($0.maxCLL, $0.masteringPeak) = (300, 1000) } - usual), atMost: 1)
        try expect(grey(.hlg, 0.5) { $0.masteringPeak = 400 }, below: usual - 5)
        // A display that shows all of the source shows light above the stated peak unchanged.
        let bright = ColourFormulas.pqSignal(150)
        let byte = 255 * pow(150.0 / 203, 1 / 2.4)
        try expect(abs(Double(grey(.pq, bright) { $0.maxCLL = 1 }) - byte), atMost: 2)
    }

    /// RGB of limited range is stretched, also in SDR of BT.709. YCgCo has the steps of RGB.
    @Test func everyRangeIsStretchedByItsSteps() throws {
        func shown(_ codes: [Int], _ format: AVPixelFormat, _ matrix: SourceColorimetry.Matrix) throws -> [Int] {
            let squares = ColourSquares([codes], format), codecFrame = try squares.codecFrame()
            codecFrame.decided = SourceColorimetry(
                SourceColorimetry.Tags(matrix: matrix, range: .limited, transfer: .bt1886, primaries: .bt709),
                size: codecFrame.storage)
            return try squares.shown(codecFrame, DecodeSettings())[0].map { Int($0) }
        }
        // Shares of 0, 0.5 and 1.
        let half = 16 + 219 / 2, stretched = try shown([16, half, 235], AV_PIX_FMT_GBRP, .rgb)
        expect(stretched[0] == 0 && abs(stretched[1] - 127) <= 1 && stretched[2] == 255, "\(stretched)")
        // Green of full strength: Y is 0.5, Cg 0.5 and Co 0.
        let green = try shown([16 + 110, 128 + 110, 128], AV_PIX_FMT_YUV444P, .other("ycgco"))
        expect(green[0] <= 2 && green[1] >= 253 && green[2] <= 2, "\(green)")
    }

    @Test func whatLiesOutsideKeepsItsHue() throws {
        // Full primaries of BT.2020 at 203 nits.
        let white = ColourFormulas.pqSignal(203)
        let codes = [[white, 0, 0], [0, white, 0], [0, 0, white], [white, 0.45, 0]].map {
            ColourSquares.codes($0, AV_PIX_FMT_GBRP10LE, ColourFormulas.weights2020)
        }
        let squares = ColourSquares(codes, AV_PIX_FMT_GBRP10LE), codecFrame = try squares.codecFrame()
        codecFrame.decided = SourceColorimetry(
            SourceColorimetry.Tags(matrix: .rgb, range: .full, transfer: .pq, primaries: .bt2020),
            size: codecFrame.storage)
        let shown = try squares.shown(codecFrame, DecodeSettings())
        for (channel, colour) in shown.prefix(3).enumerated() {
            expect(colour[channel], above: 230, "\(colour)")
            for other in 0..<3 where other != channel { expect(colour[other], atMost: 60, "\(colour)") }
        }
        // Orange: its green is the share of red that it has in linear light.
        let orange = ColourSquares.signal(codes[3], AV_PIX_FMT_GBRP10LE, ColourFormulas.weights2020)
        let due = ColourFormulas.shown(orange, .pq, 1000, 203)
        let share = pow(due[1] / due[0], 1 / 2.4)
        expect(due[0] > 1 && shown[3][0] == 255)
        expect(abs(Double(shown[3][1]) - 255 * share), atMost: 2, "\(shown[3])")
    }

    @Test(arguments: [Curve.pq, .hlg]) func clippingLeavesWhatTheDisplayCanShow(_ curve: Curve) throws {
        let codes = Self.signals.map { ColourSquares.codes($0, AV_PIX_FMT_GBRP10LE, ColourFormulas.weights2020) }
        let squares = ColourSquares(codes, AV_PIX_FMT_GBRP10LE), codecFrame = try squares.codecFrame()
        codecFrame.decided = SourceColorimetry(
            SourceColorimetry.Tags(
                matrix: .rgb, range: .full, transfer: curve == .pq ? .pq : .hlg, primaries: .bt2020),
            size: codecFrame.storage)
        var settings = DecodeSettings()
        settings.toneMapping.curve = .clip
        let shown = try squares.shown(codecFrame, settings)
        for (code, pixel) in zip(codes, shown) {
            let signal = ColourSquares.signal(code, AV_PIX_FMT_GBRP10LE, ColourFormulas.weights2020)
            let due = ColourFormulas.times(
                ColourFormulas.from2020, ColourFormulas.nits(signal, curve, 1000).map { $0 / 203 })
            for channel in 0..<3 {
                let byte = 255 * pow(min(1, max(0, due[channel])), 1 / 2.4)
                expect(abs(Double(pixel[channel]) - byte), atMost: 2, "\(signal): \(pixel), due \(due)")
            }
        }
    }

    struct Wide: Sendable {
        let transfer: SourceColorimetry.Transfer
        let sdr: ColourFormulas.SDR
        let primaries: SourceColorimetry.Primaries
        let toBT709: [[Double]]
        let format: AVPixelFormat
    }

    static let wide = [
        Wide(
            transfer: .bt1886, sdr: .gamma(2.4), primaries: .bt2020, toBT709: ColourFormulas.from2020,
            format: AV_PIX_FMT_YUV444P10LE),
        Wide(
            transfer: .bt1886, sdr: .gamma(2.4), primaries: .displayP3, toBT709: ColourFormulas.fromP3,
            format: AV_PIX_FMT_GBRP),
        Wide(
            transfer: .srgb, sdr: .srgb, primaries: .displayP3, toBT709: ColourFormulas.fromP3, format: AV_PIX_FMT_RGB24
        ),
        Wide(
            transfer: .gamma22, sdr: .gamma(2.2), primaries: .bt2020, toBT709: ColourFormulas.from2020,
            format: AV_PIX_FMT_GBRP),
    ]

    @Test(arguments: wide) func wideGamutsAreMappedAndGreysStay(_ wide: Wide) throws {
        let codes = Self.signals.map { ColourSquares.codes($0, wide.format, ColourFormulas.weights2020) }
        let squares = ColourSquares(codes, wide.format), codecFrame = try squares.codecFrame()
        codecFrame.decided = SourceColorimetry(
            SourceColorimetry.Tags(
                matrix: squares.isRGB ? .rgb : .bt2020, range: squares.isRGB ? .full : .limited,
                transfer: wide.transfer, primaries: wide.primaries), size: codecFrame.storage)
        let shown = try squares.shown(codecFrame, DecodeSettings())
        for (index, code) in codes.enumerated() {
            let signal = ColourSquares.signal(code, wide.format, ColourFormulas.weights2020)
            let linear = signal.map { wide.sdr.light($0) }
            let due = ColourFormulas.times(wide.toBT709, linear)
            guard due.allSatisfy({ (-0.0001...1.001).contains($0) }) else { continue }
            for channel in 0..<3 {
                let byte = 255 * wide.sdr.signal(min(1, max(0, due[channel])))
                expect(abs(Double(shown[index][channel]) - byte), atMost: 2, "\(signal): \(shown[index]), due \(due)")
            }
        }
    }

    @Test func alphaStays() throws {
        let codecFrame = CodecFrame()
        codecFrame.av.pointee.format = AV_PIX_FMT_RGBA.rawValue
        (codecFrame.av.pointee.width, codecFrame.av.pointee.height) = (16, 16)
        try #require(av_frame_get_buffer(codecFrame.av, 0) >= 0)
        for y in 0..<16 {
            for x in 0..<16 {
                let pixel = qd_plane(codecFrame.av, 0)! + y * Int(qd_stride(codecFrame.av, 0)) + 4 * x
                (pixel[0], pixel[1], pixel[2], pixel[3]) = (200, 200, 200, UInt8(x * 17))
            }
        }
        codecFrame.decided = SourceColorimetry(
            SourceColorimetry.Tags(matrix: .rgb, range: .full, transfer: .srgb, primaries: .displayP3),
            size: Size(16, 16))
        let frame = try Scaler().frame(
            from: codecFrame, size: Size(16, 16), formats: .all, pool: FrameBufferPool())
        expect(frame.format, equals: .bgra(.translucent))
        for x in 0..<16 {
            let pixel = frame.planes[0].base + 4 * x
            expect(Int(pixel[3]), equals: x * 17)
            expect(abs(Int(pixel[1]) - 200 * x * 17 / 255), atMost: 2, "premultiplied")
        }
    }

    @Test func matricesThatLibrariesLackAreConverted() throws {
        let greens: [[Double]] = [[0.2, 0.7, 0.3], [0.8, 0.5, 0.1], [0.5, 0.5, 0.5], [1, 1, 1], [0, 0, 0]]
        let codes = greens.map { colour -> [Int] in
            let (red, green, blue) = (colour[0], colour[1], colour[2])
            let luma = red / 4 + green / 2 + blue / 4, cg = green / 2 - red / 4 - blue / 4, co = (red - blue) / 2
            return [Int((16 + 219 * luma).rounded()), Int((128 + 219 * cg).rounded()), Int((128 + 219 * co).rounded())]
        }
        let squares = ColourSquares(codes, AV_PIX_FMT_YUV444P), codecFrame = try squares.codecFrame()
        func tagged(_ matrix: SourceColorimetry.Matrix) -> SourceColorimetry {
            SourceColorimetry(
                SourceColorimetry.Tags(matrix: matrix, range: .limited, transfer: .bt1886, primaries: .bt709),
                size: codecFrame.storage)
        }
        codecFrame.decided = tagged(.other("ycgco"))
        let shown = try squares.shown(codecFrame, DecodeSettings())
        for (colour, pixel) in zip(greens, shown) {
            for channel in 0..<3 { expect(abs(colour[channel] * 255 - Double(pixel[channel])), atMost: 2, "\(pixel)") }
        }
        codecFrame.decided = tagged(.other("smpte2085"))
        let trouble = #expect(throws: SourceTrouble.self) { try squares.shown(codecFrame, DecodeSettings()) }
        expect(trouble?.what, equals: "the colour matrix smpte2085 can't be converted")
    }

    @Test(arguments: [Curve.pq, .hlg]) func intensityAndItsDifferencesAreConverted(_ curve: Curve) throws {
        // Signals of cones of a skin tone, a grey and a blue in BT.2020, by BT.2100.
        let colours: [[Double]] = [[0.5, 0.42, 0.37], [0.4, 0.4, 0.4], [0.35, 0.4, 0.5]]
        let codes = colours.map { signal -> [Int] in
            let light = signal.map { curve == .pq ? ColourFormulas.pqLight($0) / 10_000 : ColourFormulas.hlgLight($0) }
            let cones = ColourFormulas.times(ColourFormulas.toCones, light).map {
                curve == .pq ? ColourFormulas.pqSignal($0 * 10_000) : ColourFormulas.hlgSignal($0)
            }
            let values = ColourFormulas.times(
                curve == .pq ? ColourFormulas.toICtCp : ColourFormulas.toICtCpOfHLG, cones)
            return [64 + 876 * values[0], 512 + 896 * values[1], 512 + 896 * values[2]].map { Int($0.rounded()) }
        }
        let squares = ColourSquares(codes, AV_PIX_FMT_YUV444P10LE), codecFrame = try squares.codecFrame()
        codecFrame.decided = SourceColorimetry(
            SourceColorimetry.Tags(
                matrix: .other("ictcp"), range: .limited, transfer: curve == .pq ? .pq : .hlg, primaries: .bt2020),
            size: codecFrame.storage)
        let shown = try squares.shown(codecFrame, DecodeSettings())
        for (signal, pixel) in zip(colours, shown) {
            let due = ColourFormulas.shown(signal, curve, 1000, 203)
            for channel in 0..<3 {
                let byte = 255 * pow(min(1, max(0, due[channel])), 1 / 2.4)
                expect(abs(Double(pixel[channel]) - byte), atMost: 3, "\(pixel), due \(due)")
            }
        }
    }

    @Test func whatIsUsualIsNotConverted() throws {
        let usual = SourceColorimetry(SourceColorimetry.Tags(), size: Size(1920, 1080))
        expect(ColourPlan.Goal(usual, ToneMapping()), equals: nil)
        var off = ToneMapping()
        off.curve = .off
        let hdr = SourceColorimetry(
            SourceColorimetry.Tags(matrix: .bt2020, transfer: .pq, primaries: .bt2020), size: Size(64, 36))
        expect(ColourPlan.Goal(hdr, off), equals: nil)
        expect(ColourPlan.Goal(hdr, ToneMapping()) != nil)
    }
}
