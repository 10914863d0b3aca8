import CLinux
import Foundation

/// Threads on each core that sleep for some milliseconds repeatedly and record when they woke late.
///
/// The delays show whether the machine stalled, independently of the program under test. One thread on each core has
/// real-time priority, which root may set. Only the machine's host can delay it. Another has the priority of a wall.
/// Programs beside the wall delay it, too. A thread that rarely runs seldom waits for a core, even if all cores are busy:
/// the kernel's own measure of waits, its pressure, is read as well. Any thread may call any method.
public final class Metronome: @unchecked Sendable {
    public static let shared = Metronome()

    /// Delays of the threads in one measurement.
    public struct Stall: Sendable, CustomStringConvertible {
        /// The longest delay, in seconds.
        public let longest: Double
        /// CPU time that the machine's host took (steal time), in seconds.
        public let stolen: Double
        /// Share of the measured time for which the most delayed core was held up.
        public let share: Double

        /// True if the stall is as long as a limit that the tests set for a frame or a sound.
        public var isLong: Bool { longest >= 0.01 || stolen >= 0.02 }

        public var description: String {
            String(
                format: "held up for %.0f ms at once, %.1f %% of the time, %.0f ms stolen", longest * 1000, share * 100,
                stolen * 1000)
        }
    }

    /// The start of a measurement.
    public struct Mark: Sendable {
        let time: Double
        let stolen: Double
    }

    /// Time that a thread of real-time priority sleeps, and the delay from which it is recorded.
    private static let period = 0.002
    /// Time that a thread of usual priority sleeps.
    private static let usualPeriod = 0.005
    /// Time between two looks at the steal time, and the steal time within it from which it is recorded.
    private static let (stealPeriod, leastStolen) = (0.1, 0.02)
    /// Time between two looks at the pressure. No wait that was read from it is longer.
    private static let pressurePeriod = 0.05
    private let lock = NSLock()
    /// Delays of the threads of real-time priority.
    private var delays: [(core: Int, time: Double, length: Double)] = []
    /// Delays of the threads of usual priority, steal time, and waits for a core. `began` is an instant of `RealTime`.
    private var waits: [Stalls.Stall] = []

    private init() {
        for core in 0..<sysconf(Int32(_SC_NPROCESSORS_ONLN)) {
            Thread { [self] in
                qd_stay_on(Int32(core))
                _ = qd_come_first()
                Metronome.beat(every: Metronome.period) { due, late in
                    guard late > Metronome.period else { return }
                    lock.withLock { delays.append((core, due, late)) }
                }
            }.start()
            Thread { [self] in
                qd_stay_on(Int32(core))
                Metronome.beat(every: Metronome.usualPeriod) { due, late in wait(from: due, seconds: late) }
            }.start()
        }
        Thread { [self] in
            var before = Metronome.stolen
            Metronome.beat(every: Metronome.stealPeriod) { _, _ in
                let stolen = Metronome.stolen
                if stolen - before >= Metronome.leastStolen {
                    wait(from: RealTime.now - (stolen - before), seconds: stolen - before)
                }
                before = stolen
            }
        }.start()
        watchPressure()
    }

    /// Records for how long threads of any program that were due waited for a core, in each 50 ms.
    private func watchPressure() {
        guard let first = Metronome.pressure else { return }
        Thread { [self] in
            var before = first
            Metronome.beat(every: Metronome.pressurePeriod) { _, _ in
                let pressure = Metronome.pressure ?? before
                let waited = min(pressure - before, Metronome.pressurePeriod)
                wait(from: RealTime.now - waited, seconds: waited)
                before = pressure
            }
        }.start()
    }

    /// Sleeps until each beat. Calls `woke` with the time of the beat and the delay, in seconds. Never returns.
    private static func beat(every period: Double, _ woke: (Double, Double) -> Void) {
        var due = RealTime.now
        while true {
            due += period
            var until = timespec(tv_sec: Int(due), tv_nsec: Int(due.truncatingRemainder(dividingBy: 1) * 1e9))
            clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &until, nil)
            let late = RealTime.now - due
            woke(due, late)
            if late > period { due += late }
        }
    }

    private func wait(from began: Double, seconds: Double) {
        guard seconds >= Stalls.least else { return }
        lock.withLock { waits.append(Stalls.Stall(began: began, seconds: seconds)) }
    }

    public func mark() -> Mark { Mark(time: RealTime.now, stolen: Metronome.stolen) }

    /// The stalls of the machine since `mark`.
    public func stalls(since mark: Mark) -> Stalls {
        let all = lock.withLock { waits + delays.map { Stalls.Stall(began: $0.time, seconds: $0.length) } }
        return Stalls(
            all.filter { $0.ended >= mark.time }.map { Stalls.Stall(began: $0.began - mark.time, seconds: $0.seconds) })
    }

    public func stall(since mark: Mark) -> Stall {
        let seconds = RealTime.now - mark.time
        return Stall(
            longest: longestStall(from: mark.time, to: .infinity), stolen: Metronome.stolen - mark.stolen,
            share: seconds > 0 ? mostHeldUp(from: mark.time, to: .infinity) / seconds : 0)
    }

    /// Sum of the delays of the most delayed core, in seconds. Counts delays that overlap these instants of `RealTime`.
    public func mostHeldUp(from: Double, to: Double) -> Double {
        lock.withLock {
            Dictionary(grouping: delays.lazy.filter { $0.time + $0.length >= from && $0.time <= to }, by: \.core).values
                .map { $0.reduce(0) { $0 + $1.length } }.max() ?? 0
        }
    }

    /// The longest of the delays that overlap these instants of `RealTime`, in seconds.
    public func longestStall(from: Double, to: Double) -> Double {
        lock.withLock {
            delays.lazy.filter { $0.time + $0.length >= from && $0.time <= to }.map(\.length).max() ?? 0
        }
    }

    /// Time since boot in which at least one thread waited for a core, in seconds. nil if the kernel does not measure it.
    private static var pressure: Double? {
        let text = try? String(contentsOfFile: "/proc/pressure/cpu", encoding: .utf8)
        let total = text?.prefix { $0 != "\n" }.split(separator: "=").last.flatMap { Double($0) }
        return total.map { $0 / 1_000_000 }
    }

    /// Steal time since boot, in seconds: the eighth figure of the first line of /proc/stat.
    private static var stolen: Double {
        let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let fields = text.prefix { $0 != "\n" }.split(separator: " ")
        guard fields.count > 8, let ticks = Double(fields[8]) else { return 0 }
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
