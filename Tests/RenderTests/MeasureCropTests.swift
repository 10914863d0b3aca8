import Expectations
import TestKit
import Testing

extension RenderTests.Measuring {
    /// The parts of frames that `measure` compares, and the pairs of films that begin at different times.
    @Suite struct CropsAndBeginnings {
        typealias Measuring = RenderTests.Measuring

        /// The other film is the reference with bars around it. FFmpeg's filters crop and scale it.
        @Test(arguments: [
            ["none", "120x68+20+12"], ["none", "0.125,0.12,0.75,0.68"], ["64x36+32+18", "60x34+50+29"],
        ])
        func aCroppedFilmHasTheFiguresOfFFmpegsCropAndScale(_ crops: [String]) throws {
            let film = try Measuring.pattern()
            let barred = try Measuring.changed(
                film, ["-vf", "scale=120:68,pad=160:100:20:12,noise=alls=6:allf=t", "-c:v", "ffv1"])
            let ours = try Measuring.measured([film, barred, "--crop", crops[0], "--crop", crops[1]])
            let (reference, filter) =
                crops[0] == "none"
                ? (film, "crop=120:68:20:12,scale=128:72:flags=bicubic")
                : (
                    try Measuring.changed(film, ["-vf", "crop=64:36:32:18", "-c:v", "ffv1"], "part.mkv"),
                    "crop=60:34:50:28,scale=64:36:flags=bicubic"
                )
            Measuring.expectEqual(ours.rows[0], try Measuring.filtered(reference, barred, filter).rows)
            expect(ours.errors.contains("of its frames of 160x100, the part \(crops[0] == "none" ? 120 : 60)x"))
            // The rows of the smaller part are rounded to those of its chroma.
            if crops[0] == "none" { expect(ours.rows[0].allSatisfy { $0!.psnr[0] > 25 }, "\(ours.output)") }
        }

        @Test func oneCropIsThatOfEachFilmAndOneBeyondTheFramesIsRefused() throws {
            let film = try Measuring.pattern(), coded = try Measuring.changed(film, Measuring.coded)
            let ours = try Measuring.measured([film, coded, "--crop", "64x36+32+18"])
            let parts = try [film, coded].map {
                try Measuring.changed($0, ["-vf", "crop=64:36:32:18", "-c:v", "ffv1"])
            }
            Measuring.expectEqual(ours.rows[0], try Measuring.filtered(parts[0], parts[1]).rows)
            let beyond = try Program.run(["measure", film, coded, "--crop", "64x36+100+18"])
            expect(beyond.status, equals: 1)
            expect(beyond.errors.contains("the crop reaches beyond its frames of 128x72"), "\(beyond.errors)")
            for crops in [["640x360"], ["0.5,0.5,0.6,0.5"], ["1x1+0+0", "none", "none"]] {
                let wrong = try Program.run(["measure", film, coded] + crops.flatMap { ["--crop", $0] })
                expect(wrong.status, equals: 2, "\(crops)")
            }
        }

        /// The other film lacks the first frame, and its video begins a frame after its sound.
        @Test(arguments: ["late.mkv", "late.mp4", "late.ts"])
        func aVideoThatBeginsAfterItsSoundIsPairedByTimestamps(_ name: String) throws {
            let source = [
                "-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=2,format=yuv420p", "-f", "lavfi", "-i",
                "sine=r=48000:d=2",
            ]
            let film = try Measuring.ffmpeg(source + ["-c:v", "ffv1", "-c:a", "flac"], "film.mkv")
            let late = try Measuring.ffmpeg(
                source + ["-vf", "trim=start_frame=1", "-c:v", "libx264", "-crf", "18", "-c:a", "aac"], name)
            let ours = try Measuring.measured([film, late])
            expect(ours.rows[0][0] == nil && ours.rows[0][1...].allSatisfy { $0!.psnr[3] > 35 }, "\(ours.output)")
            expect(ours.errors.contains("its video begins 0.04"), "\(ours.errors)")
            expect(ours.errors.contains("paired by timestamps, 0.040 s behind (-1 frame)"), "\(ours.errors)")
            let first = try Measuring.measured([film, late, "--offset", "0"])
            expect(first.errors.contains("dB better one frame earlier: --offset -0.04"), "\(first.errors)")
            let check = try Program.run(["check", late])
            expect(check.output.contains("its video begins 0.04"), "\(check.output)")
        }

        /// Encoders put some silence before the sound, which containers may not state.
        @Test(arguments: [("mkv", "aac"), ("ts", "aac"), ("ts", "mp2"), ("webm", "libopus"), ("flv", "aac")])
        func aFilmWhoseSoundBeginsWithItsVideoIsPairedFromTheFirstFrameOn(_ ending: String, _ sound: String) throws {
            let source = [
                "-f", "lavfi", "-i", "testsrc2=s=128x72:r=50:d=1,format=yuv420p", "-f", "lavfi", "-i",
                "sine=r=48000:d=1",
            ]
            let codec = ending == "webm" ? ["-c:v", "libvpx", "-deadline", "realtime"] : ["-c:v", "libx264"]
            let film = try Measuring.ffmpeg(source + ["-c:v", "ffv1", "-an"], "film.mkv")
            let other = try Measuring.ffmpeg(source + codec + ["-c:a", sound], "other.\(ending)")
            let ours = try Measuring.measured([film, other])
            expect(!ours.errors.contains("paired") && !ours.errors.contains("better"), "\(ours.errors)")
            expect(ours.rows[0].allSatisfy { $0!.psnr[3] > 25 }, "\(ours.output)")
        }
    }
}
