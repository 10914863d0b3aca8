// libyuv's C interface. Functions return its tables of constants, because Swift treats imported globals as mutable.
#pragma once
#include <libyuv.h>

static inline const struct YuvConstants *qd_bt601_limited(void) { return &kYuvI601Constants; }
static inline const struct YuvConstants *qd_bt601_full(void) { return &kYuvJPEGConstants; }
static inline const struct YuvConstants *qd_bt709_limited(void) { return &kYuvH709Constants; }
static inline const struct YuvConstants *qd_bt709_full(void) { return &kYuvF709Constants; }
static inline const struct YuvConstants *qd_bt2020_limited(void) { return &kYuv2020Constants; }
static inline const struct YuvConstants *qd_bt2020_full(void) { return &kYuvV2020Constants; }
