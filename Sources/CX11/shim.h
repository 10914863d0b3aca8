// Xlib with its DPMS extension, and for the tests' camera its shared-memory extension. Parts of its headers that Swift
// does not import; no logic.
#pragma once
#include <SDL2/SDL_syswm.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <X11/extensions/dpms.h>
#include <sys/ipc.h>
#include <sys/shm.h>

static const unsigned long qd_AllPlanes = ~0UL;

// SDL's connection and the number of its window; NULL and 0 if the window is on no X server. This stands here, not
// beside SDL, since SDL_syswm.h imports Xlib's names.
typedef struct { Display *display; Window window; } qd_x11;
static inline qd_x11 qd_x11_of(SDL_Window *window) {
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    const int is_known = SDL_GetWindowWMInfo(window, &info) && info.subsystem == SDL_SYSWM_X11;
    return is_known ? (qd_x11){ info.info.x11.display, info.info.x11.window } : (qd_x11){ NULL, 0 };
}
