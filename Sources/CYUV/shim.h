// libyuv by its C interface.
#pragma once
#include <libyuv.h>
