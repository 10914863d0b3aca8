// zlib, for compressed files in a zip.
#pragma once
#include <zlib.h>

// Begins to inflate raw data, without zlib's header, as stored in a zip.
static inline int qd_inflate_begin(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }
