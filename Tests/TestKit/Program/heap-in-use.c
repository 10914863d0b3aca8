// Preloaded: says how many bytes of the heap are in use, each time that the memory asks for it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct desk { volatile int64_t asked, answered, bytes; };

static void *answer(void *at) {
    struct desk *desk = at;
    while (1) {
        usleep(50000);
        int64_t asked = __atomic_load_n(&desk->asked, __ATOMIC_ACQUIRE);
        if (asked == desk->answered) continue;
        struct mallinfo2 heap = mallinfo2();
        desk->bytes = heap.uordblks + heap.hblkhd;
        __atomic_store_n(&desk->answered, asked, __ATOMIC_RELEASE);
    }
    return NULL;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("QUADRILLE_HEAP");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof(struct desk), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    pthread_t thread;
    if (memory != MAP_FAILED) pthread_create(&thread, NULL, answer, memory);
}
