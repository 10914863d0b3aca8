import CPulse

/// Calls back once on the loop's thread; freed by whoever made it.
func timer(
    _ api: UnsafeMutablePointer<pa_mainloop_api>, after microseconds: Int64,
    _ call:
        @escaping @convention(c) (
            UnsafeMutablePointer<pa_mainloop_api>?, OpaquePointer?, UnsafePointer<timeval>?, UnsafeMutableRawPointer?
        ) -> Void,
    _ opaque: UnsafeMutableRawPointer
) -> OpaquePointer? {
    // The loop takes times of day only.
    var time = timeval()
    pa_gettimeofday(&time)
    pa_timeval_add(&time, pa_usec_t(microseconds))
    return api.pointee.time_new(api, &time, call, opaque)
}
