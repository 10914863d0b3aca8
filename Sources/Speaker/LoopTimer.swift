import CPulse

/// Calls `call` once on the loop's thread, after `microseconds`. The caller frees the timer.
func timer(
    _ api: UnsafeMutablePointer<pa_mainloop_api>, after microseconds: Int64,
    _ call:
        @escaping @convention(c) (
            UnsafeMutablePointer<pa_mainloop_api>?, OpaquePointer?, UnsafePointer<timeval>?, UnsafeMutableRawPointer?
        ) -> Void,
    _ opaque: UnsafeMutableRawPointer
) -> OpaquePointer? {
    // The loop takes wall-clock times only.
    var time = timeval()
    pa_gettimeofday(&time)
    pa_timeval_add(&time, pa_usec_t(microseconds))
    return api.pointee.time_new(api, &time, call, opaque)
}
