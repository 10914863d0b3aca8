// Macros of libpulse's headers that Swift does not import; no logic.
#pragma once
#include <pulse/pulseaudio.h>

static const uint32_t qd_INVALID_INDEX = PA_INVALID_INDEX;
static const char *const qd_APPLICATION_NAME = PA_PROP_APPLICATION_NAME;
static const char *const qd_APPLICATION_ID = PA_PROP_APPLICATION_ID;
static const char *const qd_APPLICATION_ICON_NAME = PA_PROP_APPLICATION_ICON_NAME;
static const char *const qd_MEDIA_ROLE = PA_PROP_MEDIA_ROLE;
static const char *const qd_MEDIA_NAME = PA_PROP_MEDIA_NAME;
static const char *const qd_MEDIA_TITLE = PA_PROP_MEDIA_TITLE;
static const char *const qd_REQUEST_CORK = PA_STREAM_EVENT_REQUEST_CORK;
static const char *const qd_REQUEST_UNCORK = PA_STREAM_EVENT_REQUEST_UNCORK;
