import Expectations
import Testing

@testable import Base
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

@Suite struct CropTests {
    @Test(
        arguments: [
            ("640x360+10+20", .pixels(Rect(10, 20, 640, 360))), ("10,20,640,360", .pixels(Rect(10, 20, 640, 360))),
            ("0.25,0,0.75,0.5", .fractions(Fractions(0.25, 0, 0.75, 0.5))), ("0,0,1,1", .all),
            ("0.333334,0,0.6666665,1", .fractions(Fractions(0.333334, 0, 1 - 0.333334, 1))),
            ("1x1+0+0", .pixels(Rect(0, 0, 1, 1))), ("", nil), ("640x360", nil), ("640x360+10", nil), ("0x9+0+0", nil),
            ("-4x9+0+0", nil), ("640x360+-1+0", nil), ("99999x9+0+0", nil), ("0.5,0,0.6,1", nil), ("0,0,0,1", nil),
            ("0,0,2.5,4", nil), ("nan,0,1,1", nil), ("0,0,inf,1", nil), ("-1,0,9,9", nil), ("1,2,3", nil),
        ] as [(String, Crop?)])
    func aTextStatesPixelsOrFractions(_ text: String, _ crop: Crop?) { expect(Crop(text), equals: crop, "\(text)") }

    @Test func pixelsAreFractionsOfTheStoredFrame() {
        let crop = Crop.pixels(Rect(180, 0, 360, 288))
        expect(crop.part(of: Size(720, 576)), equals: Fractions(0.25, 0, 0.5, 0.5))
        expect(crop.fits(in: Size(720, 576)) && !crop.fits(in: Size(400, 576)))
        // Pixels beyond the frame are left out. If there are no others, the crop has no effect.
        expect(crop.part(of: Size(360, 576)), equals: Fractions(0.5, 0, 0.5, 0.5))
        expect(crop.part(of: Size(100, 100)) == .all && crop.part(of: Size(0, 0)) == .all)
    }

    /// A crop in pixels shows what the same crop in fractions shows, whatever the turn and the flip, and is decoded in
    /// the same size. Simulated frames keep their shape, so they are turned by a half at most.
    @Test(arguments: [Turn.none, .half], [Flip.none, .horizontal, .vertical])
    func pixelsAndFractionsShowTheSame(_ turn: Turn, _ flip: Flip) throws {
        func view(_ crop: Crop) throws -> (Rect, Fractions, Size) {
            var layout = Layout.of([["a"]])
            layout.tiles[0].play[0].crop = crop
            layout.tiles[0].play[0].decoding = DecodeSettings(turn: turn, flip: flip)
            var world = Simulation(layout, clips: ["a": FakeClip(frames: 100, natural: Size(640, 360))])
            world.run(for: .seconds(1))
            let view = try #require(world.marked { _ in }.views.first)
            guard case .frame(let placed) = view.content else {
                throw SourceTrouble(.damaged, "no frame")
            }
            return (placed.target, placed.crop, placed.frame.size)
        }
        let pixels = try view(.pixels(Rect(64, 0, 320, 90)))
        let fractions = try view(.fractions(Fractions(0.1, 0, 0.5, 0.25)))
        expect(pixels.0 == fractions.0 && pixels.1 == fractions.1 && pixels.2 == fractions.2, "\(pixels)")
    }
}
