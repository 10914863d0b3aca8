import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests.Measuring {
    /// The frames that `measure` pairs, and their orientation.
    @Suite struct Pairs {
        typealias Measuring = RenderTests.Measuring

        /// The stored frames are turned or mirrored on screen, by their container or their stream. Against the same
        /// film turned by FFmpeg without loss, every frame is equal, whichever is the reference.
        @Test(arguments: [
            ["-metadata:s:v", "rotate=90"], ["-metadata:s:v", "rotate=180"], ["-metadata:s:v", "rotate=270"],
            ["-bsf:v", "h264_metadata=display_orientation=insert:flip=horizontal"],
            ["-bsf:v", "h264_metadata=display_orientation=insert:flip=vertical"],
        ])
        func aFilmThatIsTurnedByItsContainerIsTheOneThatWasEncodedTurned(_ turning: [String]) throws {
            // ffmpeg turns a film as its container states. If only the stream states it, ffmpeg turns from the second
            // frame on, so such films are made from the upright one.
            let mirror =
                turning[1].contains("horizontal")
                ? ["-vf", "hflip"] : turning[1].contains("vertical") ? ["-vf", "vflip"] : []
            for pixels in ["yuv420p", "yuv422p"] {
                let plain = try Measuring.changed(
                    try Measuring.pattern(frames: 5, pixels: pixels), Measuring.coded, "plain.mp4")
                let turned = try Measuring.changed(plain, ["-c", "copy"] + turning, "turned.mp4")
                let encoded = try Measuring.changed(
                    mirror.isEmpty ? turned : plain, mirror + ["-c:v", "ffv1", "-pix_fmt", pixels], "encoded.mkv")
                for films in [[encoded, turned], [turned, encoded]] {
                    let ours = try Measuring.measured(films)
                    expect(ours.rows[0].count, equals: 5)
                    let isSideways = turning[1].contains("90") || turning[1].contains("270")
                    if pixels == "yuv420p" || !isSideways {
                        expect(ours.rows[0].allSatisfy { $0?.psnr == [.infinity, .infinity, .infinity, .infinity] })
                        expect(!ours.errors.contains("measured as"), "\(ours.errors)")
                    } else {
                        // Chroma of half the width lies on its side: luma is equal, and the rest is converted.
                        expect(ours.rows[0].allSatisfy { $0?.psnr[0] == .infinity && $0!.psnr[1] > 30 })
                        expect(ours.errors.contains("measured as"), "\(ours.errors)")
                    }
                    expect(ours.errors.contains("to lie as the reference's do on screen"), "\(ours.errors)")
                }
            }
        }

        /// Frames that are equal on screen, stored with different sample aspects, cause no message. Another shape does.
        @Test func anotherShapeOnScreenIsReported() throws {
            let film = try Measuring.pattern(frames: 3)
            let squeezed = try Measuring.changed(film, ["-vf", "scale=64:72,setsar=2", "-c:v", "ffv1"])
            expect(!(try Measuring.measured([film, squeezed]).errors.contains("stretched")))
            let wide = try Measuring.changed(film, ["-vf", "setsar=4/3", "-c:v", "ffv1"])
            let ours = try Measuring.measured([film, wide])
            expect(ours.errors.contains("171x72 on screen, the reference's 128x72: they are measured as stretched"))
            expect(ours.rows[0].allSatisfy { $0?.psnr[0] == .infinity })
        }

        /// The other film begins 34 frames later. The offset differs from that by up to 20 ms, as one found by sound
        /// may.
        @Test(arguments: [-1.36, -1.37, -1.3415, -1.379]) func theNearestFrameIsMeasured(_ offset: Double) throws {
            let film = try Measuring.pattern(frames: 60)
            let later = try Measuring.changed(film, ["-vf", "trim=start_frame=34,setpts=PTS-STARTPTS", "-c:v", "ffv1"])
            let ours = try Measuring.measured([film, later, "--offset", "\(offset)"])
            expect(ours.rows[0].prefix(34).allSatisfy { $0 == nil })
            expect(ours.rows[0].dropFirst(34).allSatisfy { $0?.psnr.last == .infinity })
            let words = "is no whole number of frames; the nearest is -34 frames (-1.3600 s), and so they are compared"
            expect(ours.errors.contains(words), equals: (offset != -1.36), "\(ours.errors)")
        }
    }
}
