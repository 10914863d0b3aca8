import CLinux
import Foundation

/// A thread on each core that sleeps for two milliseconds again and again and writes down when it came late: whether the
/// machine stood still can be asked of it, and not of what is tested. Where it may come before all other threads, as root's
/// may, nothing but the machine's host can hold it up. Any thread may call any method.
public final class Metronome: @unchecked Sendable {
    public static let shared = Metronome()

    /// What held up a thread that had nothing to do but to come back.
    public struct Stall: Sendable, CustomStringConvertible {
        /// The longest that it came late, in seconds.
        public let longest: Double
        /// What the machine's host took from its processors meanwhile, in seconds.
        public let stolen: Double
        /// Of the time that was asked for, how much the core that was held up most was.
        public let share: Double
        /// The threads that are tested had no part in it.
        public let isTheHosts: Bool

        /// As long as any limit that a frame or a sound is held to.
        public var isLong: Bool { longest >= 0.01 || stolen >= 0.02 }

        /// Whatever is measured meanwhile says nothing of what is tested, also the next time.
        public var isUnbearable: Bool { isTheHosts && isLong && share >= 0.02 }

        public var description: String {
            String(
                format: "held up for %.0f ms at once, %.1f %% of the time, %.0f ms stolen", longest * 1000, share * 100,
                stolen * 1000)
        }
    }

    /// Where a measurement begins.
    public struct Mark: Sendable {
        let time: Double
        let stolen: Double
    }

    private static let period = 0.002
    private let lock = NSLock()
    /// Each delay of more than a period.
    private var delays: [(core: Int, time: Double, length: Double)] = []
    private var comesFirst = true

    private init() {
        for core in 0..<sysconf(Int32(_SC_NPROCESSORS_ONLN)) {
            Thread { [self] in
                qd_stay_on(Int32(core))
                if qd_come_first() != 0 { lock.withLock { comesFirst = false } }
                beat(core)
            }.start()
        }
    }

    private func beat(_ core: Int) {
        var due = Clock.now
        while true {
            due += Metronome.period
            var until = timespec(tv_sec: Int(due), tv_nsec: Int(due.truncatingRemainder(dividingBy: 1) * 1e9))
            clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &until, nil)
            let late = Clock.now - due
            guard late > Metronome.period else { continue }
            lock.withLock { delays.append((core, due, late)) }
            due += late
        }
    }

    public func mark() -> Mark { Mark(time: Clock.now, stolen: Metronome.stolen) }

    public func stall(since mark: Mark) -> Stall {
        let (seconds, isTheHosts) = (Clock.now - mark.time, lock.withLock { comesFirst })
        return Stall(
            longest: longestStall(from: mark.time, to: .infinity), stolen: Metronome.stolen - mark.stolen,
            share: seconds > 0 ? mostHeldUp(from: mark.time, to: .infinity) / seconds : 0, isTheHosts: isTheHosts)
    }

    /// In seconds, of the core that was held up most, by those of which a part lies between these instants of `Clock`.
    public func mostHeldUp(from: Double, to: Double) -> Double {
        lock.withLock {
            Dictionary(grouping: delays.lazy.filter { $0.time + $0.length >= from && $0.time <= to }, by: \.core).values
                .map { $0.reduce(0) { $0 + $1.length } }.max() ?? 0
        }
    }

    /// In seconds, of those of which a part lies between these instants of `Clock`.
    public func longestStall(from: Double, to: Double) -> Double {
        lock.withLock {
            delays.lazy.filter { $0.time + $0.length >= from && $0.time <= to }.map(\.length).max() ?? 0
        }
    }

    /// The eighth figure of the first line of /proc/stat.
    private static var stolen: Double {
        let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let fields = text.prefix { $0 != "\n" }.split(separator: " ")
        guard fields.count > 8, let ticks = Double(fields[8]) else { return 0 }
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
