// libass (text to bitmaps) and fontconfig (which fonts there are).
#pragma once
#include <ass/ass.h>
#include <fontconfig/fontconfig.h>
