// Parts of FFmpeg's headers that Swift does not import (macros, variadics, array members), and the differences between
// FFmpeg 5.1 and 9, so that callers need to know neither. There is no logic here.
#pragma once
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavdevice/avdevice.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/base64.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

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

// swscale. FFmpeg 8 (libswscale 9) made struct SwsContext public, so Swift's type of a pointer to it changes, and turned
// the flags from macros into the enum SwsFlags. Here the context is opaque, and flags are int, with every version.
typedef struct qd_sws qd_sws;
static const int qd_SWS_BILINEAR = SWS_BILINEAR;
static const int qd_SWS_BICUBIC = SWS_BICUBIC;
static const int qd_SWS_AREA = SWS_AREA;
static const int qd_SWS_ACCURATE_RND = SWS_ACCURATE_RND;
static const int qd_SWS_FULL_CHR_H_INT = SWS_FULL_CHR_H_INT;
static const int qd_SWS_FULL_CHR_H_INP = SWS_FULL_CHR_H_INP;
static inline struct SwsContext *qd_sws_context(qd_sws *context) { return (struct SwsContext *)context; }
static inline qd_sws *qd_sws_make(
    int width, int height, enum AVPixelFormat format, int to_width, int to_height, enum AVPixelFormat to_format,
    int flags) {
    return (qd_sws *)sws_getContext(
        width, height, format, to_width, to_height, to_format, flags, NULL, NULL, NULL);
}
static inline qd_sws *qd_sws_alloc(void) { return (qd_sws *)sws_alloc_context(); }
static inline int qd_sws_set_option(qd_sws *context, const char *name, int64_t value) {
    return av_opt_set_int(qd_sws_context(context), name, value, 0);
}
static inline int qd_sws_init(qd_sws *context) { return sws_init_context(qd_sws_context(context), NULL, NULL); }
static inline void qd_sws_free(qd_sws *context) { sws_freeContext(qd_sws_context(context)); }
static inline int qd_sws_get_details(
    qd_sws *context, int **table, int *range, int **to_table, int *to_range, int *brightness, int *contrast,
    int *saturation) {
    return sws_getColorspaceDetails(
        qd_sws_context(context), table, range, to_table, to_range, brightness, contrast, saturation);
}
static inline int qd_sws_set_details(
    qd_sws *context, const int *table, int range, const int *to_table, int to_range, int brightness, int contrast,
    int saturation) {
    return sws_setColorspaceDetails(
        qd_sws_context(context), table, range, to_table, to_range, brightness, contrast, saturation);
}
static inline int qd_sws_scale_frame(qd_sws *context, AVFrame *target, const AVFrame *frame) {
    return sws_scale_frame(qd_sws_context(context), target, frame);
}
// Scales between planes that may belong to no buffer of FFmpeg's, which qd_sws_scale_frame would copy first.
static inline void qd_sws_scale_planes(qd_sws *context, AVFrame *target, const AVFrame *frame) {
    sws_scale(
        qd_sws_context(context), (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, target->data,
        target->linesize);
}

// FFmpeg before 7.0 does not know Dolby Vision's tag of AV1.
static inline void qd_name_codecs(AVFormatContext *context) {
    for (unsigned i = 0; i < context->nb_streams; i++) {
        AVCodecParameters *parameters = context->streams[i]->codecpar;
        if (parameters->codec_id == AV_CODEC_ID_NONE && parameters->codec_tag == MKTAG('d', 'a', 'v', '1')) {
            parameters->codec_type = AVMEDIA_TYPE_VIDEO;
            parameters->codec_id = AV_CODEC_ID_AV1;
        }
    }
}

static inline uint8_t *qd_plane(const AVFrame *frame, int index) { return frame->data[index]; }
static inline int qd_stride(const AVFrame *frame, int index) { return frame->linesize[index]; }
// FFmpeg 6 (libavcodec 60) calls get_buffer2 on any of the decoder's threads; earlier versions must be allowed to.
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
static inline void qd_read_sample(
    const AVFrame *frame, const AVPixFmtDescriptor *format, int x, int y, int component, uint16_t *value) {
    av_read_image_line2(
        value, (const uint8_t **)frame->data, frame->linesize, format, x, y, component, 1, 0, 2);
}

// Converts a frame's samples to interleaved ones; without a frame, those that the converter still holds. Returns their
// number.
static inline int qd_resample(struct SwrContext *context, const AVFrame *frame, uint8_t *target, int capacity) {
    uint8_t *planes[1] = { target };
    return frame ? swr_convert(context, planes, capacity, (const uint8_t **)frame->extended_data, frame->nb_samples)
                 : swr_convert(context, planes, capacity, NULL, 0);
}

// Removes the first `count` samples of a frame. `count` must be less than the frame's number of samples.
static inline void qd_leave_out(AVFrame *frame, int count) {
    const int planar = av_sample_fmt_is_planar(frame->format), channels = frame->ch_layout.nb_channels;
    const int bytes = count * av_get_bytes_per_sample(frame->format) * (planar ? 1 : channels);
    for (int plane = 0; plane < (planar ? channels : 1); plane++) frame->extended_data[plane] += bytes;
    frame->nb_samples -= count;
}

// Side data that a container holds for a stream; NULL if there is none. FFmpeg 6.1 (libavcodec 60.29, libavformat 60.15)
// moved it to the stream's codec parameters, and FFmpeg 8 removed av_stream_get_side_data.
static inline const uint8_t *qd_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVCodecParameters *codec = stream->codecpar;
    const AVPacketSideData *data = av_packet_side_data_get(codec->coded_side_data, codec->nb_coded_side_data, type);
    *size = data ? data->size : 0;
    return data ? data->data : NULL;
#else
    return av_stream_get_side_data(stream, type, size);
#endif
}

// FFmpeg 6.1 (libavutil 58.7) put AVFrame.key_frame into the flags, and FFmpeg 8 removed the field.
static inline int qd_is_key_frame(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame->key_frame;
#endif
}

// Returns 1 if an encoder accepts this sample format; an encoder without a list accepts any. FFmpeg 7.1 (libavcodec 61.13)
// introduced avcodec_get_supported_config; FFmpeg 9 has no AVCodec.sample_fmts.
static inline int qd_takes_samples(const AVCodec *codec, enum AVSampleFormat format) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
    const void *list = NULL;
    if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_SAMPLE_FORMAT, 0, &list, NULL) < 0) return 0;
    const enum AVSampleFormat *known = (const enum AVSampleFormat *)list;
#else
    const enum AVSampleFormat *known = codec->sample_fmts;
#endif
    if (!known) return 1;
    for (; *known != AV_SAMPLE_FMT_NONE; known++)
        if (*known == format) return 1;
    return 0;
}

// FFmpeg 6 (libavutil 57.30) introduced AVFrame.duration, and FFmpeg 7 removed pkt_duration.
static inline int64_t qd_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

static inline void qd_set_frame_duration(AVFrame *frame, int64_t duration) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    frame->duration = duration;
#else
    frame->pkt_duration = duration;
#endif
}

// Since libavutil 58.7 (FFmpeg 6.1) these are in AVFrame.flags; later versions removed their own members.
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
static inline int qd_is_interlaced(const AVFrame *frame) { return frame->flags & AV_FRAME_FLAG_INTERLACED ? 1 : 0; }
static inline int qd_is_top_first(const AVFrame *frame) {
    return frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST ? 1 : 0;
}
#else
static inline int qd_is_interlaced(const AVFrame *frame) { return frame->interlaced_frame; }
static inline int qd_is_top_first(const AVFrame *frame) { return frame->top_field_first; }
#endif

// Functions of libavfilter, which is loaded at run time (`FilterLibrary`).
typedef struct qd_filters {
    __typeof__(avfilter_graph_alloc) *graph_alloc;
    __typeof__(avfilter_graph_free) *graph_free;
    __typeof__(avfilter_get_by_name) *get_by_name;
    __typeof__(avfilter_graph_create_filter) *create_filter;
    __typeof__(avfilter_inout_alloc) *inout_alloc;
    __typeof__(avfilter_inout_free) *inout_free;
    __typeof__(avfilter_graph_parse_ptr) *parse;
    __typeof__(avfilter_graph_config) *config;
    __typeof__(av_buffersrc_add_frame) *push;
    __typeof__(av_buffersink_get_frame) *pull;
} qd_filters;

// libvmaf is loaded at run time, if it is installed: the parts of its headers that are needed. They are alike in
// versions 2 and 3; members at the end that a version lacks are not read by it.
typedef struct qd_vmaf_configuration {
    int log_level;
    unsigned threads;
    unsigned subsample;
    uint64_t cpu_mask;
    uint64_t gpu_mask;
} qd_vmaf_configuration;
typedef struct qd_vmaf_model_configuration {
    const char *name;
    uint64_t flags;
} qd_vmaf_model_configuration;
typedef struct qd_vmaf_picture {
    int format;
    unsigned bits;
    unsigned width[3];
    unsigned height[3];
    ptrdiff_t stride[3];
    void *planes[3];
    void *reference;
    void *owner;
} qd_vmaf_picture;
// Functions of libvmaf (`VMAFLibrary`). A context and a model are opaque.
typedef struct qd_vmaf {
    int (*make)(struct VmafContext **context, qd_vmaf_configuration configuration);
    int (*model_load)(struct VmafModel **model, qd_vmaf_model_configuration *configuration, const char *version);
    int (*use_features)(struct VmafContext *context, struct VmafModel *model);
    int (*picture_alloc)(qd_vmaf_picture *picture, int format, unsigned bits, unsigned width, unsigned height);
    int (*read_pictures)(
        struct VmafContext *context, qd_vmaf_picture *reference, qd_vmaf_picture *other, unsigned index);
    int (*score_at_index)(struct VmafContext *context, struct VmafModel *model, double *score, unsigned index);
    int (*close)(struct VmafContext *context);
    void (*model_destroy)(struct VmafModel *model);
} qd_vmaf;
static inline uint8_t *qd_vmaf_plane(const qd_vmaf_picture *picture, int index) { return picture->planes[index]; }
static inline ptrdiff_t qd_vmaf_stride(const qd_vmaf_picture *picture, int index) { return picture->stride[index]; }
