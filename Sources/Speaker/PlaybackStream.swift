import Base
import CPulse
import Heard
import Threads

/// Playback stream on one connection. Every call holds the main loop's lock.
final class PlaybackStream {
    private let stream: OpaquePointer
    private unowned let owner: Speaker
    /// Depth that the server was asked for first, in milliseconds.
    private let connectedDepth: UInt32
    private var continuity = StreamContinuity.broken
    /// Samples written since the stream began or was flushed.
    private var written: Int64 = 0
    private var line = StreamLine()
    private var isCorkAsked = false
    private(set) var isReady = false
    private var isClosed = false

    /// In milliseconds.
    private static let request: UInt32 = 10
    /// Samples that will be heard within this time are not rewritten. The output's own latency comes on top.
    private static let transferTime = Time.milliseconds(8)

    init?(in context: OpaquePointer, of owner: Speaker) {
        var sample = SoundStream.format
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, qd_MEDIA_ROLE, "video")
        pa_proplist_sets(properties, qd_MEDIA_TITLE, owner.title)
        guard let stream = pa_stream_new_with_proplist(context, owner.title, &sample, nil, properties) else {
            return nil
        }
        (self.stream, self.owner, connectedDepth) = (stream, owner, owner.depth.milliseconds)
        let me = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_state_callback(stream, { _, me in (callee(me) as PlaybackStream).handleState() }, me)
        pa_stream_set_write_callback(
            stream, { _, bytes, me in (callee(me) as PlaybackStream).handleRequest(bytes) }, me)
        pa_stream_set_underflow_callback(stream, { _, me in (callee(me) as PlaybackStream).handleUnderflow() }, me)
        pa_stream_set_latency_update_callback(stream, { _, me in (callee(me) as PlaybackStream).handleTiming() }, me)
        pa_stream_set_moved_callback(stream, { _, me in (callee(me) as PlaybackStream).handleMove() }, me)
        pa_stream_set_event_callback(
            stream,
            { _, name, _, me in (callee(me) as PlaybackStream).handle(event: name.map { String(cString: $0) }) },
            me)
        var attributes = attributes
        // Early requests: the output takes little at a time. The rest is buffered where it can be rewritten.
        let flags =
            PA_STREAM_EARLY_REQUESTS.rawValue | (isToBeCorked ? PA_STREAM_START_CORKED.rawValue : 0)
        guard pa_stream_connect_playback(stream, owner.output, &attributes, pa_stream_flags_t(flags), nil, nil) >= 0
        else {
            close()
            return nil
        }
    }

    func close() { if !exchange(&isClosed, with: true) { SoundStream.end(stream) } }

    deinit { precondition(isClosed, "a stream was never closed") }

    private var attributes: pa_buffer_attr {
        pa_buffer_attr(
            // Without a prebuffer, sound after a gap is heard at its time.
            maxlength: .max, tlength: SoundStream.bytes(ofMilliseconds: owner.depth.milliseconds), prebuf: 0,
            minreq: SoundStream.bytes(ofMilliseconds: Self.request),
            fragsize: .max)
    }

    var output: UInt32 { pa_stream_get_device_index(stream) }
    var index: UInt32 { pa_stream_get_index(stream) }
    var device: String? { SoundStream.device(of: stream) }

    func describe(_ title: String) {
        guard isReady else { return }
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, qd_MEDIA_NAME, title)
        pa_proplist_sets(properties, qd_MEDIA_TITLE, title)
        drop(pa_stream_proplist_update(stream, PA_UPDATE_REPLACE, properties, nil, nil))
    }

    // MARK: corking

    private var isToBeCorked: Bool { isCorkAsked || owner.isResting }

    func settleCork() {
        guard isReady, (pa_stream_is_corked(stream) != 0) != isToBeCorked else { return }
        loseLine()
        if isToBeCorked {
            drop(pa_stream_flush(stream, nil, nil))
            written = 0
        }
        drop(pa_stream_cork(stream, isToBeCorked ? 1 : 0, nil, nil))
    }

    /// Handles the server's request to cork or uncork: a more important stream begins or ends.
    private func handle(event: String?) {
        switch event {
        case String(cString: qd_REQUEST_CORK): isCorkAsked = true
        case String(cString: qd_REQUEST_UNCORK): isCorkAsked = false
        default: return
        }
        settleCork()
    }

    // MARK: samples

    private func handleState() {
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY:
            isReady = true
            owner.handleStreamReady()
            settleCork()
            // The depth may have changed since the server was asked for the stream.
            if owner.depth.milliseconds != connectedDepth { settleDepth() }
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
            owner.handleStreamFailure()
        default: break
        }
    }

    private func handleRequest(_ bytes: Int) {
        write(bytes / SoundStream.frameBytes, over: 0)
        if line.countTransfer() { drop(pa_stream_update_timing_info(stream, nil, nil)) }
    }

    /// Writes `frames` samples. The first `over` of them replace the last ones written.
    private func write(_ frames: Int, over: Int) {
        var (remaining, back) = (frames, over)
        while remaining > 0 {
            var data: UnsafeMutableRawPointer?
            var count = remaining * SoundStream.frameBytes
            guard pa_stream_begin_write(stream, &data, &count) >= 0, let data else { return }
            let part = min(count / SoundStream.frameBytes, remaining)
            guard part > 0 else {
                pa_stream_cancel_write(stream)
                return
            }
            let end = endIsHeard
            let heard = end ?? Time.now + .milliseconds(Int64(owner.depth.milliseconds))
            owner.render(
                data.assumingMemoryBound(to: Float.self), part, heard - SoundGrid.time(of: Int64(back)), continuity)
            // Until the position is measured, `render` need not continue what it rendered before.
            continuity = end == nil ? .broken : .unbroken
            let offset = Int64(-back * SoundStream.frameBytes)
            if pa_stream_write(stream, data, part * SoundStream.frameBytes, nil, offset, PA_SEEK_RELATIVE) < 0 {
                return
            }
            written += Int64(part - back)
            (remaining, back) = (remaining - part, 0)
        }
    }

    /// Renders again all samples that are written and not heard yet, except those about to be heard. Returns the time at
    /// which the first of them is heard; nil if the stream does not play.
    @discardableResult
    func revise() -> Time? {
        guard isReady, !isClosed, pa_stream_is_corked(stream) == 0, let end = endIsHeard,
            let timing = pa_stream_get_timing_info(stream)
        else { return nil }
        let taken = Time(nanoseconds: Int64(timing.pointee.configured_sink_usec) * 1000) + Self.transferTime
        let frames = min(SoundGrid.sample(at: end - Time.now - taken), written)
        guard frames > 0 else { return end }
        let back = owner.rewind(Int(frames))
        write(back, over: back)
        return end - SoundGrid.time(of: Int64(back))
    }

    // MARK: position of the stream

    /// Time at which the next sample written will be heard; nil until it is measured.
    private var endIsHeard: Time? {
        guard let timing = pa_stream_get_timing_info(stream), timing.pointee.write_index_corrupt == 0 else {
            return nil
        }
        return line.wallTime(of: Self.time(ofBytes: timing.pointee.write_index))
    }

    private static func time(ofBytes bytes: Int64) -> Time { SoundGrid.time(of: bytes / Int64(SoundStream.frameBytes)) }

    private func handleTiming() {
        guard let timing = pa_stream_get_timing_info(stream)?.pointee, timing.playing != 0,
            timing.read_index_corrupt == 0, pa_stream_is_corked(stream) == 0
        else { return }
        let age = SoundStream.age(of: timing)
        let output = Time(nanoseconds: Int64(timing.sink_usec) * 1000)
        line.note(Self.time(ofBytes: timing.read_index), heardAt: Time.now - age + output)
    }

    private func loseLine() {
        continuity = .broken
        line.reset()
    }

    /// Samples that came too late are lost; the samples after them keep their times. The buffer was too short, so it
    /// grows.
    private func handleUnderflow() {
        guard pa_stream_is_corked(stream) == 0, owner.depth.grow() else { return }
        settleDepth()
    }

    func settleDepth() {
        guard isReady else { return }
        var attributes = attributes
        drop(pa_stream_set_buffer_attr(stream, &attributes, nil, nil))
    }

    private func handleMove() {
        loseLine()
        owner.lookAtOutput()
    }
}
