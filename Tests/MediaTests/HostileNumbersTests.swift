import CFFmpeg
import Expectations
import Foundation
import Heard
import TestKit
import Testing

@testable import Base
@testable import Media

/// A number in a file may have any value. A tile may fail by it, the program may not. A trap ends the whole run.
@Suite struct HostileNumbersTests {
    @Test func noNumberOfAFileTraps() throws {
        let films = try HostileNumbers.films()
        expect(films.count, above: 30)
        for (name, path) in films {
            do throws(SourceTrouble) {
                for probing in [Source.Probing.toTheEnd, .headSuffices] {
                    try watch(path, probing, name)
                }
            } catch {
                expect(error.what.isEmpty, equals: false, "\(name)")
            }
            listen(to: path)
            _ = try? Inspector.inspect(path)
        }
    }

    /// Reads from the beginning, and from places in and beyond the file.
    private func watch(_ path: String, _ probing: Source.Probing, _ name: String) throws(SourceTrouble) {
        let source = try Source.open(path, probing: probing, deadline: Deadline())
        if let length = source.facts.length { expect(length > .zero && length <= TimeBase.longest, "\(name)") }
        let decoder = try Decoder(for: source, threads: 1)
        for from in [Time.zero, .milliseconds(400), .seconds(7200), .distantFuture] {
            let reader = FrameReader(source: source, decoder: decoder, from: from, until: nil)
            var last: Time?
            for _ in 0..<40 {
                guard case .frame(let frame) = try reader.next() else { break }
                expect(frame.length, above: .zero, "\(name)")
                if let last { expect(frame.start > last && frame.start - last <= .seconds(3601), "\(name)") }
                last = frame.start
            }
        }
    }

    private func listen(to path: String) {
        guard let reader = try? SoundReader.open(SoundSource(path), deadline: Deadline()) else { return }
        for sample in [0, 20_000, 400_000_000_000] as [Int64] {
            guard (try? reader.seek(to: sample)) != nil else { continue }
            for _ in 0..<8 { if case .end? = try? reader.next() { break } }
        }
    }

    @Test func timeStopsAtItsEndsInsteadOfTrapping() {
        let far = Time(ticks: .max)
        expect(far + far == far && -far - far == -far && (-far).magnitude == far)
        expect(far * 3 == .distantFuture && far * -3 == -.distantFuture)
        expect(Time(.max, ofUnits: .max, over: 1) == far && Time(.min, ofUnits: .max, over: 1) == -far)
        expect(far.nanoseconds, equals: Time.distantFuture.nanoseconds)
        expect(Time(seconds: .infinity) == .distantFuture && Time(seconds: .nan) == .zero)
        expect(far.lasting(at: .slowest) == far && far.played(at: .fastest) == far)
        expect(SoundGrid.sample(at: far) > 0 && SoundGrid.time(of: .max) == .distantFuture)
    }

    @Test func aStampThatIsFarAwayIsNone() {
        let clock = StreamClock(timeBase: AVRational(num: 1, den: 1000), origin: 5000, rate: FrameRate(25, 1))
        expect(clock.believed(6000), equals: 6000)
        expect(clock.believed(5000 + 1_000_000_000_000) != qd_NOPTS)
        expect(clock.believed(5001 + 1_000_000_000_000), equals: qd_NOPTS)
        expect(clock.believed(.min) == qd_NOPTS && clock.believed(.max) == qd_NOPTS)
        expect(clock.believed(duration: 40), equals: 40)
        expect(clock.believed(duration: -1) == 0 && clock.believed(duration: .max) == 0)
        // Far from zero, but all timestamps together.
        let late = StreamClock(timeBase: AVRational(num: 1, den: 1000), origin: 20_000_000_000_000, rate: nil)
        expect(late.time(of: late.origin + 40), equals: .milliseconds(40))
        expect(late.timestamp(of: .milliseconds(40)), equals: late.origin + 40)
    }
}
