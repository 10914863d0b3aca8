import Glibc

/// Least time of this thread on a processor, in nanoseconds, for a task that is done several times. Tests beside it do
/// not count.
public func leastNanoseconds(times: Int, _ task: (Int) -> Void) -> Int {
    func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
    return (1...times).map { number in
        let began = now()
        task(number)
        return now() - began
    }.min()!
}
