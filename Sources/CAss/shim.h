// libass (renders text to bitmaps) and fontconfig (finds fonts).
#pragma once
#include <ass/ass.h>
#include <fontconfig/fontconfig.h>

// By default libass prints to standard error. This callback prints nothing.
static inline void qd_ass_say_nothing(int level, const char *format, va_list arguments, void *data) {}
static inline void qd_ass_silence(ASS_Library *library) {
    ass_set_message_cb(library, qd_ass_say_nothing, NULL);
}
