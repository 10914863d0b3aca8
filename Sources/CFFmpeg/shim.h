// What Swift does not import from FFmpeg's headers: macros and variadics, no logic.
#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

static const int64_t qd_NOPTS = AV_NOPTS_VALUE;
static const int qd_EOF = AVERROR_EOF;
static const int qd_EAGAIN = AVERROR(EAGAIN);
static const int qd_ENOMEM = AVERROR(ENOMEM);
static const int qd_EXIT = AVERROR_EXIT;
static const int qd_INVALIDDATA = AVERROR_INVALIDDATA;
static const int qd_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int qd_PROTOCOL_NOT_FOUND = AVERROR_PROTOCOL_NOT_FOUND;
