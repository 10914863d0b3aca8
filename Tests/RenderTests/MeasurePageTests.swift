import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests.Measuring {
    /// The page that `measure` writes, and the figures of whole films.
    @Suite struct Pages {
        private typealias Measuring = RenderTests.Measuring

        @Test func thePageIsWholeInOneFile() throws {
            let film = try Measuring.pattern(), folder = try Scratch.newFolder("page")
            let name = "a \"b\" <i>&amp;.mkv"
            let other = try Measuring.changed(film, Measuring.coded)
            try FileManager.default.copyItem(atPath: other, toPath: "\(folder)/\(name)")
            try FileManager.default.copyItem(atPath: film, toPath: "\(folder)/film.mkv")
            let result = try Program.run(
                ["measure", "film.mkv", name, "film.mkv", "-o", "m.html", "-o", "m.json"], folder: folder)
            try #require(result.status == 0, "\(result.errors)")
            let page = try String(contentsOfFile: "\(folder)/m.html", encoding: .utf8)
            expect(!page.contains("<i>") && page.contains("a &quot;b&quot; &lt;i&gt;&amp;amp;.mkv"))
            // The page loads nothing from a network or a file.
            for word in ["http:", "https:", "//", "src=\"h", "<link", "@import"] {
                let text = page.replacing(/base64,[A-Za-z0-9+\/=]+/, with: "")
                expect(!text.contains(word), "\(word)")
            }
            let report = try self.report(page), others = try films(report)
            try expect(#require(report["names"] as? [String]).suffix(2) == ["psnr-average", "ssim"])
            expect(page.contains("<svg ") && page.contains("prefers-color-scheme: dark"))
            let json = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/m.json"))
            let frames = try JSONDecoder().decode(Measuring.Report.self, from: json).others[0].frames
            // The film has 0.8 s: of its second half, the worst is shown too if it is half a second away.
            let worstFrames = frames.sorted { $0["psnr-average"]!! < $1["psnr-average"]!! }
            let shown = try worst(others[0]).compactMap { $0["frame"] as? Double }
            expect(shown.first == worstFrames[0]["picture"]! && shown.count <= 2, "\(shown)")
            if shown.count == 2 { expect(abs(shown[0] - shown[1]), atLeast: 12.5) }
            expect(page.contains("<p>Every frame is equal to the reference's.</p>"))
            expect(others[1]["worst-found"] as? Int == 0 && others.map { $0["name"] as? String } == [name, "film.mkv"])
            try expectImages(page, as: film, other, frame: Int(worstFrames[0]["picture"]!!))
            try expectValues(report, frames)
        }

        /// The measurements in a page, which its script draws.
        private func report(_ page: String) throws -> [String: Any] {
            let start = try #require(page.components(separatedBy: "id=\"report\">").last)
            let text = try #require(start.components(separatedBy: "</script>").first)
            return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }

        private func films(_ report: [String: Any]) throws -> [[String: Any]] {
            try #require(report["others"] as? [[String: Any]])
        }

        /// The worst frames of a film that a page shows.
        private func worst(_ film: [String: Any]) throws -> [[String: Any]] {
            try #require(film["worst"] as? [[String: Any]])
        }

        /// Images of a page, with their texts.
        private func images(_ page: String) throws -> [(text: String, data: Data)] {
            let names = [
                "reference": "reference", "other": "other", "difference": "difference", "whole": "the whole reference",
            ]
            return try films(report(page)).flatMap(worst).flatMap { frame in
                try names.map { key, name in
                    let url = try #require(frame[key] as? String), number = try #require(frame["frame"] as? Int)
                    expect(url.hasPrefix("data:image/\(key == "whole" ? "jpeg" : "png");base64,"))
                    let bytes = try #require(url.split(separator: ",").last)
                    return ("\(name), frame \(number)", try #require(Data(base64Encoded: String(bytes))))
                }
            }
        }

        /// The page has the values of each frame.
        private func expectValues(_ report: [String: Any], _ frames: [[String: Double?]]) throws {
            let columns = try #require(report["columns"] as? [[String: Double]])
            expect(columns.first?["place"] == 0 && columns.last?["place"] == 1 && columns.count == frames.count)
            let fourth = columns[3].filter { $0.key != "place" }
            expect(fourth, equals: ["frame": 3, "last": 3, "time": 0.12, "until": 0.12])
            let values = try films(report).map { film in
                try #require(film["columns"] as? [String: [[Any]]]).mapValues { $0.map { $0[0] } }
            }
            expect(values[0]["psnr-average"] as? [Double], equals: frames.map { $0["psnr-average"]!! })
            expect(values[1]["psnr-average"] as? [String] == Array(repeating: "inf", count: 20))
            expect((values[1]["ssim"] as? [Double])?[0] == 1)
        }

        /// The images of the first frame are a part of the reference's worst frame, of the other's, and their difference.
        private func expectImages(_ page: String, as film: String, _ other: String, frame: Int) throws {
            let images = try images(page)
            func image(_ what: String) throws -> Data {
                try #require(images.first { $0.text == "\(what), frame \(frame)" }).data
            }
            func grays(_ input: [String]) throws -> [UInt8] {
                let path = Scratch.path("gray")
                try run(
                    ["ffmpeg", "-nostdin", "-v", "error", "-y"] + input + [
                        "-vf", "scale=128:72,format=gray", "-frames:v", "1", "-f", "rawvideo", path,
                    ])
                return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            }
            func distance(_ a: [UInt8], _ b: [UInt8]) -> Double {
                Double(zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(a.count)
            }
            let shown = try ["reference", "other", "difference", "the whole reference"].map { what -> [UInt8] in
                let path = Scratch.path(what == "the whole reference" ? "shown.jpg" : "shown.png")
                try image(what).write(to: URL(fileURLWithPath: path))
                return try grays(["-i", path])
            }
            expect(distance(shown[3], shown[0]), below: 2)
            let seek = ["-ss", "\(Double(frame) / 25)", "-i"]
            expect(distance(shown[0], try grays(seek + [film])), below: 2)
            expect(distance(shown[1], try grays(seek + [other])), below: 2)
            let apart = distance(shown[0], shown[1]), mean = distance(shown[2], shown[2].map { _ in 0 })
            expect(mean > apart * 1.5 && mean < apart * 8, "\(apart) \(mean)")
        }

        /// Noise in one place of large frames: the crops show that place, and the difference is black elsewhere.
        @Test func theCropsShowWhereTheFilmDiffersMostWithoutLoss() throws {
            let folder = try Scratch.newFolder("crops")
            let film = try Measuring.ffmpeg(
                ["-f", "lavfi", "-i", "color=0x707070:s=1920x1080:r=25", "-frames:v", "3", "-pix_fmt", "yuv444p"]
                    + ["-c:v", "ffv1"], "grey.mkv")
            let box = "drawbox=x=1204:y=700:w=40:h=24:color=0x808080:t=fill"
            let other = try Measuring.changed(film, ["-vf", box, "-c:v", "ffv1"])
            let result = try Program.run(["measure", film, other, "-o", "m.html"], folder: folder, atMost: 60)
            try #require(result.status == 0, "\(result.errors)")
            let page = try String(contentsOfFile: "\(folder)/m.html", encoding: .utf8)
            let worst = try self.worst(films(report(page))[0])[0]
            let place = try #require(worst["crop"] as? [Int]), (x, y) = (place[0], place[1])
            expect(place[2...] == [320, 192] && worst["size"] as? [Int] == [1920, 1080])
            // The box is in the middle, by less than a block of 16 pixels.
            expect(abs(x + 160 - 1224) < 16 && abs(y + 96 - 712) < 16, "\(x), \(y)")
            func pixels(_ what: String) throws -> [UInt8] {
                let (image, raw) = (Scratch.path("crop.png"), Scratch.path("crop.raw"))
                try #require(try images(page).first { $0.text.hasPrefix(what) }).data.write(
                    to: URL(fileURLWithPath: image))
                try run(
                    [
                        "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", image, "-pix_fmt", "rgb24", "-f", "rawvideo",
                        raw,
                    ])
                return [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
            }
            let (one, two, difference) = (try pixels("reference"), try pixels("other"), try pixels("difference"))
            try #require([one, two, difference].allSatisfy { $0.count == 320 * 192 * 3 })
            var wrong = 0
            for row in 0..<192 {
                for column in 0..<320 * 3 {
                    let isInBox = 1204..<1244 ~= x + column / 3 && 700..<724 ~= y + row, at = row * 960 + column
                    let apart = abs(Int(one[at]) - Int(two[at]))
                    if (apart > 0) != isInBox || difference[at] != UInt8(min(255, apart * 4)) { wrong += 1 }
                }
            }
            expect(wrong, equals: 0)
            expect(page.contains("<span>64+</span><span>48</span><span>32</span><span>16</span><span>0</span>"))
        }

        /// Noise compresses worst.
        @Test func thePageOfFiveFilmsHasAtMostFiveMegabytes() throws {
            let folder = try Scratch.newFolder("noise")
            let films = try (0..<6).map { number in
                try Measuring.ffmpeg(
                    ["-f", "rawvideo", "-pix_fmt", "yuv444p", "-s", "640x384", "-r", "1", "-i", "/dev/urandom"]
                        + ["-frames:v", "6"]
                        + ["-c:v", "ffv1"], "noise-\(number).mkv")
            }
            let result = try Program.run(["measure"] + films + ["-o", "m.html"], folder: folder, atMost: 60)
            try #require(result.status == 0, "\(result.errors)")
            let page = try String(contentsOfFile: "\(folder)/m.html", encoding: .utf8)
            expect(page.utf8.count, below: 5_000_001)
            expect(page.contains("frames are shown, to limit the size of this page."))
            for film in try self.films(report(page)) {
                expect(film["worst-found"] as? Int, equals: 5)
                expect(1..<5 ~= (try worst(film).count), "\(film["name"] ?? "")")
            }
        }

        @Test func sizesBitRatesAndPercentilesAreReported() throws {
            let film = try Measuring.pattern(frames: 40), folder = try Scratch.newFolder("sizes")
            let other = try Measuring.changed(film, Measuring.coded, "coded.mp4")
            let result = try Program.run(["measure", film, other, "-o", "m.json", "-o", "m.html"], folder: folder)
            try #require(result.status == 0, "\(result.errors)")
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/m.json"))
            let json = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
            let report = try #require((json["others"] as? [[String: Any]])?.first)
            func size(_ path: String) throws -> Int {
                try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            }
            try expect(json["size"] as? Int == size(film) && report["size"] as? Int == size(other))
            // MP4 states the rate of its video.
            let stated = try run(
                [
                    "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=bit_rate", "-of",
                    "csv=p=0",
                ]
                    + [other])
            expect(report["bitrate"] as? Int, equals: Int(stated.trimmingCharacters(in: .whitespacesAndNewlines)))
            expect(report["bitrate-of"] as? String, equals: "video")
            let frames = try #require(report["pictures"] as? [[String: Double]])
            let rows = try #require(report["frames"] as? [[String: Double]])
            expect(
                rows.map { $0["frame"] } == frames.map { $0["picture"] }
                    && rows.map { $0["ssim"] } == frames.map { $0["ssim"] })
            for name in ["psnr-y", "ssim"] {
                let values = frames.compactMap { $0[name] }.sorted()
                for (percent, rank) in [("1", 1), ("5", 2)] {
                    let percentile = (report["percentile-\(percent)"] as? [String: Double])?[name]
                    expect(percentile, equals: values[rank - 1], "\(name) \(percent)")
                }
            }
            let words = "percentiles 1 %: \(String(format: "%.2f", frames.compactMap { $0["psnr-y"] }.min()!)) dB"
            expect(result.output.contains("\n  file: ") && result.output.contains(words), "\(result.output)")
            let page = try String(contentsOfFile: "\(folder)/m.html", encoding: .utf8)
            expect(page.contains(" kbit/s") && page.contains("<br>percentiles<br>1st ") && page.contains(words))
        }
    }
}
