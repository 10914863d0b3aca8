// Preloaded: every fdatasync fails, so written data never reaches the disk.
#include <errno.h>

int fdatasync(int file) {
    (void)file;
    errno = EIO;
    return -1;
}
