// Preloaded: makes every video decoder of a program slow from outside. The shared memory holds the delay of each packet
// in microseconds. Frames that the decoder was told to skip have no delay; without the loop filter it is a sixth less.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <libavcodec/avcodec.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int32_t *delay;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("QUADRILLE_SLOWNESS");
    int file = path ? open(path, O_RDWR) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof *delay, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) delay = memory;
}

// Returns 1 if no other frame refers to this one. The packet is H.264 in MP4's form.
static int is_unreferenced(const AVPacket *packet) {
    for (int at = 0; at + 5 <= packet->size;) {
        const uint8_t *unit = packet->data + at;
        const uint32_t size = (uint32_t)unit[0] << 24 | unit[1] << 16 | unit[2] << 8 | unit[3];
        const int type = unit[4] & 31;
        if (type == 1 || type == 5) return (unit[4] >> 5 & 3) == 0;
        at += 4 + (int)size;
    }
    return 0;
}

int avcodec_send_packet(AVCodecContext *context, const AVPacket *packet) {
    static int (*real)(AVCodecContext *, const AVPacket *);
    if (!real) real = (int (*)(AVCodecContext *, const AVPacket *))dlsym(RTLD_NEXT, "avcodec_send_packet");
    if (delay && *delay > 0 && packet && packet->size > 0 && context->codec_type == AVMEDIA_TYPE_VIDEO) {
        const int is_left_out = context->skip_frame >= AVDISCARD_NONREF && is_unreferenced(packet);
        const int is_unfiltered = context->skip_loop_filter >= AVDISCARD_ALL;
        if (!is_left_out) usleep(is_unfiltered ? *delay * 5 / 6 : *delay);
    }
    return real(context, packet);
}
