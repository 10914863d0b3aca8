#include "native_window.h"
#include <SDL2/SDL_syswm.h>

void *qd_x11_connection(void *window, unsigned long *number) {
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    const int is_known = SDL_GetWindowWMInfo(window, &info) && info.subsystem == SDL_SYSWM_X11;
    *number = is_known ? info.info.x11.window : 0;
    return is_known ? info.info.x11.display : NULL;
}
