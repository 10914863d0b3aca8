// What Swift does not import from FFmpeg's headers: macros, variadics and array members, no logic.
#pragma once
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavdevice/avdevice.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int64_t qd_NOPTS = AV_NOPTS_VALUE;
static const int qd_EOF = AVERROR_EOF;
static const int qd_EAGAIN = AVERROR(EAGAIN);
static const int qd_ENOMEM = AVERROR(ENOMEM);
static const int qd_EXIT = AVERROR_EXIT;
static const int qd_UNKNOWN = AVERROR_UNKNOWN;
static const int qd_INVALIDDATA = AVERROR_INVALIDDATA;
static const int qd_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int qd_DEMUXER_NOT_FOUND = AVERROR_DEMUXER_NOT_FOUND;
static const int qd_PROTOCOL_NOT_FOUND = AVERROR_PROTOCOL_NOT_FOUND;
static const int qd_STREAM_NOT_FOUND = AVERROR_STREAM_NOT_FOUND;
static const int qd_PATCHWELCOME = AVERROR_PATCHWELCOME;
static const int qd_HTTP_BAD_REQUEST = AVERROR_HTTP_BAD_REQUEST;
static const int qd_HTTP_UNAUTHORIZED = AVERROR_HTTP_UNAUTHORIZED;
static const int qd_HTTP_FORBIDDEN = AVERROR_HTTP_FORBIDDEN;
static const int qd_HTTP_NOT_FOUND = AVERROR_HTTP_NOT_FOUND;
static const int qd_HTTP_OTHER_4XX = AVERROR_HTTP_OTHER_4XX;
static const int qd_HTTP_SERVER_ERROR = AVERROR_HTTP_SERVER_ERROR;

static inline uint8_t *qd_plane(const AVFrame *frame, int index) { return frame->data[index]; }
static inline int qd_stride(const AVFrame *frame, int index) { return frame->linesize[index]; }
// Before FFmpeg 6, frames were asked for on the decoder's own threads only where they may be.
static inline void qd_allow_any_thread(AVCodecContext *context) {
#if LIBAVCODEC_VERSION_MAJOR < 60
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    context->thread_safe_callbacks = 1;
#pragma GCC diagnostic pop
#endif
}
static inline void qd_set_plane(AVFrame *frame, int index, uint8_t *base, int stride) {
    frame->data[index] = base;
    frame->linesize[index] = stride;
}
static inline void qd_set_buffer(AVFrame *frame, AVBufferRef *buffer) {
    frame->buf[0] = buffer;
    frame->extended_data = frame->data;
}
// Three planes, so many bytes apart.
static inline void qd_scale_planes(
    struct SwsContext *context, const AVFrame *frame, uint8_t *target, int stride, ptrdiff_t apart) {
    uint8_t *const planes[4] = { target, target + apart, target + 2 * apart, NULL };
    const int strides[4] = { stride, stride, stride, 0 };
    sws_scale(context, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
}
static inline void qd_read_sample(
    const AVFrame *frame, const AVPixFmtDescriptor *format, int x, int y, int component, uint16_t *value) {
    av_read_image_line2(
        value, (const uint8_t **)frame->data, frame->linesize, format, x, y, component, 1, 0, 2);
}
static inline void qd_scale(struct SwsContext *context, const AVFrame *frame, uint8_t *target, int stride) {
    uint8_t *const planes[4] = { target, NULL, NULL, NULL };
    const int strides[4] = { stride, 0, 0, 0 };
    sws_scale(context, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
}

// A frame's samples (none: what the converter still holds) as interleaved ones; answers how many came out.
static inline int qd_resample(struct SwrContext *context, const AVFrame *frame, uint8_t *target, int capacity) {
    uint8_t *planes[1] = { target };
    return frame ? swr_convert(context, planes, capacity, (const uint8_t **)frame->extended_data, frame->nb_samples)
                 : swr_convert(context, planes, capacity, NULL, 0);
}

// Leaves out the first samples of a frame; `count` is less than it has.
static inline void qd_leave_out(AVFrame *frame, int count) {
    const int planar = av_sample_fmt_is_planar(frame->format), channels = frame->ch_layout.nb_channels;
    const int bytes = count * av_get_bytes_per_sample(frame->format) * (planar ? 1 : channels);
    for (int plane = 0; plane < (planar ? channels : 1); plane++) frame->extended_data[plane] += bytes;
    frame->nb_samples -= count;
}

// FFmpeg 8 no longer has this one; what a container says of a stream stands with its codec's parameters there.
#if LIBAVFORMAT_VERSION_MAJOR >= 62
static inline const uint8_t *av_stream_get_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
    const AVCodecParameters *codec = stream->codecpar;
    const AVPacketSideData *data = av_packet_side_data_get(codec->coded_side_data, codec->nb_coded_side_data, type);
    *size = data ? data->size : 0;
    return data ? data->data : NULL;
}
#endif

// AVFrame.duration took the place of pkt_duration, which later versions no longer have.
static inline int64_t qd_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

// Memory with a descriptor, for what writes files alone: the C library's module leaves out what is GNU's in sys/mman.h.
static inline int qd_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, 1 /* MFD_CLOEXEC */); }
