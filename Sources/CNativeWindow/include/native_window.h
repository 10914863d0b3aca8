// SDL's connection to the X server. SDL_syswm.h imports the names of Xlib: in a module with SDL's or Xlib's names, Swift
// 6.0 finds some constants of SDL in neither. A file of C keeps them apart.
#pragma once

// Returns the connection (Xlib's `Display`) and sets `number` to the number of an SDL_Window. NULL and 0 if the window is
// on no X server.
void *qd_x11_connection(void *window, unsigned long *number);
