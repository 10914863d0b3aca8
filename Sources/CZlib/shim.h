// zlib: what is packed in a zip.
#pragma once
#include <zlib.h>

// Without zlib's own header around it, as a zip holds it.
static inline int qd_inflate_begin(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }
