import CFFmpeg
import Expectations
import Glibc
import Scene
import Testing

@testable import Base
@testable import Media

/// Frames of HDR and of wide gamuts, against the formulas of the standards in double precision.
@Suite struct ToneMappingTests {
    enum Curve: Sendable { case pq, hlg }

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
        let codes = Self.signals.map { Picture.codes($0, wanted.format, Formulas.weights2020) }
        let picture = Picture(codes, wanted.format)
        let codecFrame = try picture.codecFrame()
        var colours = SourceColorimetry(
            SourceColorimetry.Tags(
                matrix: picture.isRGB ? .rgb : .bt2020, range: picture.isRGB ? .full : .limited,
                transfer: wanted.curve == .pq ? .pq : .hlg, primaries: .bt2020), size: codecFrame.storage)
        colours.light.maxCLL = wanted.peak
        codecFrame.keepColours(colours)
        var settings = DecodeSettings()
        settings.toneMapping = ToneMapping()
        settings.toneMapping?.targetNits = wanted.target
        let shown = try picture.shown(codecFrame, settings)
        for (index, code) in codes.enumerated() {
            let signal = Picture.signal(code, wanted.format, Formulas.weights2020)
            let due = Formulas.shown(signal, wanted.curve, Double(wanted.peak ?? 1000), Double(wanted.target))
            // What lies outside of BT.709 is another test's.
            guard due.allSatisfy({ (-0.0001...1.001).contains($0) }) else { continue }
            for channel in 0..<3 {
                let byte = 255 * pow(min(1, max(0, due[channel])), 1 / 2.4)
                expect(abs(Double(shown[index][channel]) - byte), atMost: 2, "\(signal): \(shown[index]), due \(due)")
            }
        }
    }

    @Test func whatLiesOutsideKeepsItsHue() throws {
        // Full primaries of BT.2020 at 203 nits.
        let white = Formulas.pqSignal(203)
        let codes = [[white, 0, 0], [0, white, 0], [0, 0, white], [white, 0.45, 0]].map {
            Picture.codes($0, AV_PIX_FMT_GBRP10LE, Formulas.weights2020)
        }
        let picture = Picture(codes, AV_PIX_FMT_GBRP10LE), codecFrame = try picture.codecFrame()
        codecFrame.keepColours(
            SourceColorimetry(
                SourceColorimetry.Tags(matrix: .rgb, range: .full, transfer: .pq, primaries: .bt2020),
                size: codecFrame.storage))
        let shown = try picture.shown(codecFrame, DecodeSettings())
        for (channel, colour) in shown.prefix(3).enumerated() {
            expect(colour[channel], above: 230, "\(colour)")
            for other in 0..<3 where other != channel { expect(colour[other], atMost: 60, "\(colour)") }
        }
        // Orange: its green is the share of red that it has in linear light.
        let orange = Picture.signal(codes[3], AV_PIX_FMT_GBRP10LE, Formulas.weights2020)
        let due = Formulas.shown(orange, .pq, 1000, 203)
        let share = pow(due[1] / due[0], 1 / 2.4)
        expect(due[0] > 1 && shown[3][0] == 255)
        expect(abs(Double(shown[3][1]) - 255 * share), atMost: 2, "\(shown[3])")
    }

    struct Wide: Sendable {
        let transfer: SourceColorimetry.Transfer
        let primaries: SourceColorimetry.Primaries
        let toBT709: [[Double]]
        let format: AVPixelFormat
    }

    static let wide = [
        Wide(transfer: .bt1886, primaries: .bt2020, toBT709: Formulas.from2020, format: AV_PIX_FMT_YUV444P10LE),
        Wide(transfer: .bt1886, primaries: .displayP3, toBT709: Formulas.fromP3, format: AV_PIX_FMT_GBRP),
        Wide(transfer: .srgb, primaries: .displayP3, toBT709: Formulas.fromP3, format: AV_PIX_FMT_RGB24),
        Wide(transfer: .gamma22, primaries: .bt2020, toBT709: Formulas.from2020, format: AV_PIX_FMT_GBRP),
    ]

    @Test(arguments: wide) func wideGamutsAreMappedAndGreysStay(_ wide: Wide) throws {
        let codes = Self.signals.map { Picture.codes($0, wide.format, Formulas.weights2020) }
        let picture = Picture(codes, wide.format), codecFrame = try picture.codecFrame()
        codecFrame.keepColours(
            SourceColorimetry(
                SourceColorimetry.Tags(
                    matrix: picture.isRGB ? .rgb : .bt2020, range: picture.isRGB ? .full : .limited,
                    transfer: wide.transfer, primaries: wide.primaries), size: codecFrame.storage))
        let shown = try picture.shown(codecFrame, DecodeSettings())
        for (index, code) in codes.enumerated() {
            let signal = Picture.signal(code, wide.format, Formulas.weights2020)
            let linear = signal.map { Formulas.light($0, wide.transfer) }
            let due = Formulas.times(wide.toBT709, linear)
            guard due.allSatisfy({ (-0.0001...1.001).contains($0) }) else { continue }
            for channel in 0..<3 {
                let byte = 255 * Formulas.signal(min(1, max(0, due[channel])), wide.transfer)
                expect(abs(Double(shown[index][channel]) - byte), atMost: 2, "\(signal): \(shown[index]), due \(due)")
            }
        }
    }

    @Test func alphaStays() throws {
        let codecFrame = try CodecFrame()
        codecFrame.av.pointee.format = AV_PIX_FMT_RGBA.rawValue
        (codecFrame.av.pointee.width, codecFrame.av.pointee.height) = (16, 16)
        try #require(av_frame_get_buffer(codecFrame.av, 0) >= 0)
        for y in 0..<16 {
            for x in 0..<16 {
                let pixel = qd_plane(codecFrame.av, 0)! + y * Int(qd_stride(codecFrame.av, 0)) + 4 * x
                (pixel[0], pixel[1], pixel[2], pixel[3]) = (200, 200, 200, UInt8(x * 17))
            }
        }
        codecFrame.keepColours(
            SourceColorimetry(
                SourceColorimetry.Tags(matrix: .rgb, range: .full, transfer: .srgb, primaries: .displayP3),
                size: Size(16, 16)))
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
            return [Int((16 + 219 * luma).rounded()), Int((128 + 224 * cg).rounded()), Int((128 + 224 * co).rounded())]
        }
        let picture = Picture(codes, AV_PIX_FMT_YUV444P), codecFrame = try picture.codecFrame()
        func tagged(_ matrix: SourceColorimetry.Matrix) -> SourceColorimetry {
            SourceColorimetry(
                SourceColorimetry.Tags(matrix: matrix, range: .limited, transfer: .bt1886, primaries: .bt709),
                size: codecFrame.storage)
        }
        codecFrame.keepColours(tagged(.other("ycgco")))
        let shown = try picture.shown(codecFrame, DecodeSettings())
        for (colour, pixel) in zip(greens, shown) {
            for channel in 0..<3 { expect(abs(colour[channel] * 255 - Double(pixel[channel])), atMost: 2, "\(pixel)") }
        }
        codecFrame.keepColours(tagged(.other("smpte2085")))
        let trouble = #expect(throws: SourceTrouble.self) { try picture.shown(codecFrame, DecodeSettings()) }
        expect(trouble?.what, equals: "the colour matrix smpte2085 can't be converted")
    }

    @Test(arguments: [Curve.pq, .hlg]) func intensityAndItsDifferencesAreConverted(_ curve: Curve) throws {
        // Signals of cones of a skin tone, a grey and a blue in BT.2020, by BT.2100.
        let colours: [[Double]] = [[0.5, 0.42, 0.37], [0.4, 0.4, 0.4], [0.35, 0.4, 0.5]]
        let codes = colours.map { signal -> [Int] in
            let light = signal.map { curve == .pq ? Formulas.pqLight($0) / 10_000 : Formulas.hlgLight($0) }
            let cones = Formulas.times(Formulas.toCones, light).map {
                curve == .pq ? Formulas.pqSignal($0 * 10_000) : Formulas.hlgSignal($0)
            }
            let values = Formulas.times(curve == .pq ? Formulas.toICtCp : Formulas.toICtCpOfHLG, cones)
            return [64 + 876 * values[0], 512 + 896 * values[1], 512 + 896 * values[2]].map { Int($0.rounded()) }
        }
        let picture = Picture(codes, AV_PIX_FMT_YUV444P10LE), codecFrame = try picture.codecFrame()
        codecFrame.keepColours(
            SourceColorimetry(
                SourceColorimetry.Tags(
                    matrix: .other("ictcp"), range: .limited, transfer: curve == .pq ? .pq : .hlg, primaries: .bt2020),
                size: codecFrame.storage))
        let shown = try picture.shown(codecFrame, DecodeSettings())
        for (signal, pixel) in zip(colours, shown) {
            let due = Formulas.shown(signal, curve, 1000, 203)
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

/// Squares of 8x8 pixels, one for each colour, in a row.
private struct Picture {
    let codes: [[Int]]
    let format: AVPixelFormat
    let isRGB: Bool
    private static let side = 8

    init(_ codes: [[Int]], _ format: AVPixelFormat) {
        (self.codes, self.format) = (codes, format)
        isRGB = Self.isRGB(format)
    }

    private static func isRGB(_ format: AVPixelFormat) -> Bool {
        av_pix_fmt_desc_get(format)!.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
    }

    private static func bits(_ format: AVPixelFormat) -> Int { Int(av_pix_fmt_desc_get(format)!.pointee.comp.0.depth) }

    /// Code values of red, green and blue, or of Y, U and V in limited range.
    static func codes(_ signal: [Double], _ format: AVPixelFormat, _ weights: (red: Double, blue: Double)) -> [Int] {
        let bits = bits(format)
        if isRGB(format) { return signal.map { Int(($0 * Double(1 << bits - 1)).rounded()) } }
        let scale = Double(1 << (bits - 8)), (red, blue) = weights
        let luma = red * signal[0] + (1 - red - blue) * signal[1] + blue * signal[2]
        return [
            Int(((16 + 219 * luma) * scale).rounded()),
            Int(((128 + 224 * (signal[2] - luma) / (2 * (1 - blue))) * scale).rounded()),
            Int(((128 + 224 * (signal[0] - luma) / (2 * (1 - red))) * scale).rounded()),
        ]
    }

    /// The signal that code values stand for.
    static func signal(_ codes: [Int], _ format: AVPixelFormat, _ weights: (red: Double, blue: Double)) -> [Double] {
        let bits = bits(format)
        if isRGB(format) { return codes.map { Double($0) / Double(1 << bits - 1) } }
        let scale = Double(1 << (bits - 8)), (kr, kb) = weights
        let luma = (Double(codes[0]) / scale - 16) / 219
        let u = (Double(codes[1]) / scale - 128) / 224, v = (Double(codes[2]) / scale - 128) / 224
        let red = luma + 2 * (1 - kr) * v, blue = luma + 2 * (1 - kb) * u
        return [red, (luma - kr * red - kb * blue) / (1 - kr - kb), blue].map { min(1, max(0, $0)) }
    }

    func codecFrame() throws -> CodecFrame {
        let side = Self.side, result = try CodecFrame()
        let described = av_pix_fmt_desc_get(format)!
        result.av.pointee.format = format.rawValue
        (result.av.pointee.width, result.av.pointee.height) = (Int32(side * codes.count), Int32(side))
        try #require(av_frame_get_buffer(result.av, 0) >= 0)
        let components = [described.pointee.comp.0, described.pointee.comp.1, described.pointee.comp.2]
        for (number, component) in components.enumerated() {
            let isChroma = !isRGB && number > 0
            let (across, down) = (
                isChroma ? Int(described.pointee.log2_chroma_w) : 0, isChroma ? Int(described.pointee.log2_chroma_h) : 0
            )
            let base = qd_plane(result.av, component.plane)!, stride = Int(qd_stride(result.av, component.plane))
            for y in 0..<side >> down {
                for x in 0..<(side * codes.count) >> across {
                    let value = codes[(x << across) / side][number] << Int(component.shift)
                    let place = UnsafeMutableRawPointer(
                        base + y * stride + x * Int(component.step) + Int(component.offset))
                    if component.depth > 8 {
                        place.storeBytes(of: UInt16(value), as: UInt16.self)
                    } else {
                        place.storeBytes(of: UInt8(value), as: UInt8.self)
                    }
                }
            }
        }
        return result
    }

    /// Red, green and blue of each square.
    func shown(_ codecFrame: CodecFrame, _ settings: DecodeSettings) throws -> [[Int]] {
        let frame = try Scaler().frame(
            from: codecFrame, size: codecFrame.storage, settings: settings, formats: .all, pool: FrameBufferPool())
        expect(frame.format, equals: .bgra(.opaque))
        return codes.indices.map { index in
            let row = frame.planes[0].base + Self.side / 2 * frame.planes[0].stride
            let pixel = row + 4 * (index * Self.side + Self.side / 2)
            return [Int(pixel[2]), Int(pixel[1]), Int(pixel[0])]
        }
    }
}

/// The formulas as the standards print them.
private enum Formulas {
    static let weights2020 = (red: 0.2627, blue: 0.0593)
    /// BT.2087's matrices, inverted, and those of Display P3.
    static let from2020: [[Double]] = [
        [1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187],
    ]
    static let fromP3: [[Double]] = [
        [1.2249, -0.2247, 0], [-0.0420, 1.0419, 0], [-0.0197, -0.0786, 1.0979],
    ]
    static let toCones: [[Double]] = [
        [1688 / 4096, 2146 / 4096, 262 / 4096], [683 / 4096, 2951 / 4096, 462 / 4096],
        [99 / 4096, 309 / 4096, 3688 / 4096],
    ]
    static let toICtCp: [[Double]] = [
        [0.5, 0.5, 0], [6610 / 4096, -13613 / 4096, 7003 / 4096], [17933 / 4096, -17390 / 4096, -543 / 4096],
    ]
    static let toICtCpOfHLG: [[Double]] = [
        [0.5, 0.5, 0], [3625 / 4096, -7465 / 4096, 3840 / 4096], [9500 / 4096, -9212 / 4096, -288 / 4096],
    ]

    static func times(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    static func pqLight(_ signal: Double) -> Double {
        let e = pow(signal, 1 / 78.84375)
        return 10_000 * pow(max(e - 0.8359375, 0) / (18.8515625 - 18.6875 * e), 1 / 0.1593017578125)
    }

    static func pqSignal(_ nits: Double) -> Double {
        let y = pow(nits / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375)
    }

    static func hlgLight(_ signal: Double) -> Double {
        signal <= 0.5 ? signal * signal / 3 : (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }

    static func hlgSignal(_ light: Double) -> Double {
        light <= 1 / 12.0 ? sqrt(3 * light) : 0.17883277 * log(12 * light - 0.28466892) + 0.55991073
    }

    /// Linear BT.709 on the display, of which 1 is white.
    static func shown(_ signal: [Double], _ curve: ToneMappingTests.Curve, _ peak: Double, _ target: Double) -> [Double]
    {
        var nits: [Double]
        switch curve {
        case .pq: nits = signal.map(pqLight)
        case .hlg:
            let scene = signal.map(hlgLight)
            let luminance = 0.2627 * scene[0] + 0.6780 * scene[1] + 0.0593 * scene[2]
            let gamma =
                (400...2000).contains(peak) ? 1.2 + 0.42 * log10(peak / 1000) : 1.2 * pow(1.111, log2(peak / 1000))
            nits = scene.map { peak * pow(luminance, gamma - 1) * $0 }
        }
        return times(from2020, nits.map { min(1, pqLight(compressed(pqSignal($0), peak, target)) / target) })
    }

    /// BT.2390, 5.4.1.
    private static func compressed(_ signal: Double, _ peak: Double, _ target: Double) -> Double {
        let source = pqSignal(peak), e1 = min(1, signal / source), most = pqSignal(target) / source
        if most >= 1 { return e1 * source }
        let ks = 1.5 * most - 0.5
        if e1 < ks { return e1 * source }
        let t = (e1 - ks) / (1 - ks)
        return source
            * ((2 * pow(t, 3) - 3 * pow(t, 2) + 1) * ks + (pow(t, 3) - 2 * pow(t, 2) + t) * (1 - ks)
                + (-2 * pow(t, 3) + 3 * pow(t, 2)) * most)
    }

    static func light(_ signal: Double, _ transfer: SourceColorimetry.Transfer) -> Double {
        switch transfer {
        case .srgb: signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
        case .gamma22: pow(signal, 2.2)
        default: pow(signal, 2.4)
        }
    }

    static func signal(_ light: Double, _ transfer: SourceColorimetry.Transfer) -> Double {
        switch transfer {
        case .srgb: light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        case .gamma22: pow(light, 1 / 2.2)
        default: pow(light, 1 / 2.4)
        }
    }
}
