// The tests' camera: Xlib and its shared-memory extension.
#pragma once
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <X11/extensions/XShm.h>

static const unsigned long qd_AllPlanes = ~0UL;
