// Preloaded before FFmpeg: counts a program's open video decoders from outside. It does not count decoders that the
// FFmpeg libraries open themselves (probing), encoders, and the codecs of still images.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <libavcodec/avcodec.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct tally { int32_t now, most, opened; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tally *tally;
static const AVCodecContext *held[256];

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("QUADRILLE_DECODERS");
    int file = path ? open(path, O_RDWR) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) tally = memory;
}

static int is_ffmpeg(void *caller) {
    Dl_info info;
    if (!dladdr(caller, &info) || !info.dli_fname) return 0;
    const char *slash = strrchr(info.dli_fname, '/');
    return strncmp(slash ? slash + 1 : info.dli_fname, "libav", 5) == 0;
}

static int counts(const AVCodecContext *context) {
    // Looked up, not linked, so that programs without FFmpeg can preload this library too.
    int (*is_decoder)(const AVCodec *) = (int (*)(const AVCodec *))dlsym(RTLD_DEFAULT, "av_codec_is_decoder");
    if (!context->codec || !is_decoder(context->codec)) return 0;
    if (context->codec_type != AVMEDIA_TYPE_VIDEO) return 0;
    switch (context->codec_id) {
    case AV_CODEC_ID_PNG: case AV_CODEC_ID_MJPEG: case AV_CODEC_ID_BMP:
    case AV_CODEC_ID_WEBP: case AV_CODEC_ID_TIFF: return 0;
    default: return 1;
    }
}

static void leave(const AVCodecContext *context) {
    pthread_mutex_lock(&lock);
    for (int i = 0; context && i < 256; i++) {
        if (held[i] == context) { held[i] = NULL; if (tally) tally->now--; }
    }
    pthread_mutex_unlock(&lock);
}

int avcodec_open2(AVCodecContext *context, const AVCodec *codec, AVDictionary **options) {
    static int (*real)(AVCodecContext *, const AVCodec *, AVDictionary **);
    if (!real) real = (int (*)(AVCodecContext *, const AVCodec *, AVDictionary **))dlsym(RTLD_NEXT, "avcodec_open2");
    void *caller = __builtin_return_address(0);
    int result = real(context, codec, options);
    if (result < 0 || is_ffmpeg(caller) || !counts(context)) return result;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 256; i++) {
        if (held[i]) continue;
        held[i] = context;
        if (tally) {
            tally->opened++;
            if (++tally->now > tally->most) tally->most = tally->now;
        }
        break;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void avcodec_free_context(AVCodecContext **context) {
    static void (*real)(AVCodecContext **);
    if (!real) real = (void (*)(AVCodecContext **))dlsym(RTLD_NEXT, "avcodec_free_context");
    const AVCodecContext *freed = *context;
    real(context);
    leave(freed);
}

int avcodec_close(AVCodecContext *context) {
    static int (*real)(AVCodecContext *);
    if (!real) real = (int (*)(AVCodecContext *))dlsym(RTLD_NEXT, "avcodec_close");
    int result = real(context);
    leave(context);
    return result;
}
