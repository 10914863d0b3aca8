// Preloaded before the C library: counts a program's own allocations of more than a page from outside. An allocation is
// the program's own if the caller is the program itself or Swift, not one of the libraries that it uses.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

struct tally { volatile int64_t count, bytes; };

static struct tally *tally;
static uintptr_t first, last;

// The first object is the program, which contains Swift's library.
static int find_program(struct dl_phdr_info *info, size_t size, void *unused) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
        const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (!first || start < first) first = start;
        if (start + info->dlpi_phdr[i].p_memsz > last) last = start + info->dlpi_phdr[i].p_memsz;
    }
    return 1;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("QUADRILLE_ALLOCATIONS");
    int file = path ? open(path, O_RDWR) : -1;
    if (file < 0) return;
    dl_iterate_phdr(find_program, NULL);
    void *memory = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) tally = memory;
}

static inline void count(size_t size, void *caller) {
    if (size <= 4096 || !tally || (uintptr_t)caller < first || (uintptr_t)caller >= last) return;
    __atomic_fetch_add(&tally->count, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&tally->bytes, (int64_t)size, __ATOMIC_RELAXED);
}

void *malloc(size_t size) {
    count(size, __builtin_return_address(0));
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(number * size, __builtin_return_address(0));
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count(size, __builtin_return_address(0));
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    count(size, __builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count(size, __builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

// Counts anonymous mappings of the program: not files, and not those of the C library.
void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    if (flags & MAP_ANONYMOUS) count(size, __builtin_return_address(0));
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count(size, __builtin_return_address(0));
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}
