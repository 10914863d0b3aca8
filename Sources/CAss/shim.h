// libass (text to bitmaps) and fontconfig (which fonts there are).
#pragma once
#include <ass/ass.h>
#include <fontconfig/fontconfig.h>

// libass prints to standard error unless told otherwise.
static inline void qd_ass_say_nothing(int level, const char *format, va_list arguments, void *data) {}
static inline void qd_ass_silence(ASS_Library *library) {
    ass_set_message_cb(library, qd_ass_say_nothing, NULL);
}

// libyuv's matrices. Here, since Swift 6 does not let C globals be read.
struct YuvConstants;
extern const struct YuvConstants kYuvI601Constants, kYuvJPEGConstants, kYuvH709Constants, kYuvF709Constants,
    kYuv2020Constants, kYuvV2020Constants;
static inline const void *canvasYuv601(void) { return &kYuvI601Constants; }
static inline const void *canvasYuv601Full(void) { return &kYuvJPEGConstants; }
static inline const void *canvasYuv709(void) { return &kYuvH709Constants; }
static inline const void *canvasYuv709Full(void) { return &kYuvF709Constants; }
static inline const void *canvasYuv2020(void) { return &kYuv2020Constants; }
static inline const void *canvasYuv2020Full(void) { return &kYuvV2020Constants; }
