import Base
import Glibc

/// A value behind a mutex. Threads can wait until it has changed.
///
/// Any thread may call any method. `body` must not block: it computes and leaves.
/// `change` and `wake` wake the threads that wait without naming a `WakeCondition`. A thread that names one is woken by
/// that one alone.
/// A thread that waits for the mutex lends its priority to the thread that holds it. A thread in real time (the
/// sound's) is then not held up by one that the scheduler has set aside.
public final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value
    private let changeCondition = WakeCondition()

    public init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_setprotocol(&attributes, Int32(PTHREAD_PRIO_INHERIT))
        var status = pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
        // Some kernels and sandboxes have no priority inheritance.
        if status != 0 { status = pthread_mutex_init(mutex, nil) }
        precondition(status == 0, "pthread_mutex_init: \(status)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the value locked.
    public func locked<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Runs `body` with the value locked, then wakes the waiting threads.
    @discardableResult
    public func change<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { wake() }
        return try locked(body)
    }

    /// Makes the waiting threads call their `body` again.
    public func wake() { changeCondition.wake() }

    /// Waits until `body` returns a result, at most until `deadline` (CLOCK_MONOTONIC, in nanoseconds). Calls `body` at
    /// once and each time the thread is woken. nil if there is no result by the deadline.
    public func wait<Result>(
        on wakeCondition: WakeCondition? = nil, by deadline: Int64, for body: (inout Value) -> Result?
    ) -> Result? {
        wait(on: wakeCondition) { value in
            if let result = body(&value) { return .done(result) }
            return monotonicNanoseconds() >= deadline ? .done(nil) : .again(deadline: deadline)
        }
    }

    /// Calls `body` each time the condition is woken or the deadline that `body` named has come, until `body` returns
    /// `.done`.
    public func wait<Result>(
        on wakeCondition: WakeCondition? = nil, until body: (inout Value) -> Wait<Result>
    ) -> Result {
        let wakeCondition = wakeCondition ?? changeCondition
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            switch body(&value) {
            case .done(let result): return result
            case .again(let deadline): wakeCondition.wait(mutex, deadline)
            }
        }
    }
}

/// Result of one look at the value by a waiting thread.
public enum Wait<Result> {
    case done(Result)
    /// Wait until woken, or until this instant of CLOCK_MONOTONIC in nanoseconds; nil if only a wake-up ends the wait.
    case again(deadline: Int64?)
}

/// One reason to wake up: a condition variable on the monotonic clock.
/// The caller of `wake` may hold the mutex or not. No wake-up is lost if the value was changed under the lock.
public final class WakeCondition: @unchecked Sendable {
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    public init() {
        condition = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        let status = pthread_cond_init(condition, &attributes)
        precondition(status == 0, "pthread_cond_init: \(status)")
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    public func wake() { pthread_cond_broadcast(condition) }

    fileprivate func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, _ deadline: Int64?) {
        guard let deadline else {
            pthread_cond_wait(condition, mutex)
            return
        }
        var until = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
        pthread_cond_timedwait(condition, mutex, &until)
    }
}

/// CLOCK_MONOTONIC in nanoseconds.
public func monotonicNanoseconds() -> Int64 { nanoseconds(of: CLOCK_MONOTONIC) }

/// CLOCK_REALTIME in nanoseconds since 1970, clamped to the range of Int64, which ends in the year 2262.
public func realTimeNanoseconds() -> Int64 { nanoseconds(of: CLOCK_REALTIME) }

func nanoseconds(of clock: clockid_t) -> Int64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return nanoseconds(ofSeconds: Int64(now.tv_sec), and: Int64(now.tv_nsec))
}

/// Returns the sum in nanoseconds, clamped to the range of Int64.
public func nanoseconds(ofSeconds seconds: Int64, and rest: Int64 = 0) -> Int64 {
    let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isBeyond) = whole.addingReportingOverflow(rest)
    return isTooMuch || isBeyond ? seconds < 0 ? .min : .max : sum
}

/// Blocks until an instant of CLOCK_MONOTONIC.
public func sleep(until deadline: Int64) {
    var until = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nil)
}

extension Time {
    /// The current time: CLOCK_MONOTONIC.
    public static var now: Time { Time(nanoseconds: monotonicNanoseconds()) }
}
