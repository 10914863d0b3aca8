import Glibc

/// An error of sd-bus.
struct BusTrouble: Error, Hashable, CustomStringConvertible {
    /// The system's error number.
    let code: Int32

    var description: String { String(cString: strerror(code)) }
}

/// Returns the result of a call of sd-bus; throws if it is an error, which is negative.
@discardableResult
func checked(_ result: Int32) throws(BusTrouble) -> Int32 {
    if result < 0 { throw BusTrouble(code: -result) }
    return result
}
