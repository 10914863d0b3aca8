// Macros of SDL's headers that Swift does not import; no logic.
#pragma once
#include <SDL2/SDL.h>

static const int qd_WINDOWPOS_CENTERED = SDL_WINDOWPOS_CENTERED;
static inline int qd_WINDOWPOS_CENTERED_DISPLAY(int display) { return SDL_WINDOWPOS_CENTERED_DISPLAY(display); }

// SDL_syswm.h would import all of X11's names. This is the part of its structure that X11 needs.
struct SDL_SysWMinfo;
extern DECLSPEC SDL_bool SDLCALL SDL_GetWindowWMInfo(SDL_Window *window, struct SDL_SysWMinfo *info);
typedef struct { void *display; unsigned long window; } qd_x11;
static inline qd_x11 qd_x11_of(SDL_Window *window) {
    struct {
        SDL_version version;
        int subsystem;
        union { qd_x11 x11; char room[128]; } info;
    } known = {0};
    SDL_VERSION(&known.version);
    const int is_known = SDL_GetWindowWMInfo(window, (struct SDL_SysWMinfo *)&known);
    return is_known && known.subsystem == 2 /* SDL_SYSWM_X11 */ ? known.info.x11 : (qd_x11){0};
}
static inline unsigned long qd_x11_window(SDL_Window *window) { return qd_x11_of(window).window; }
static inline void *qd_x11_display(SDL_Window *window) { return qd_x11_of(window).display; }
