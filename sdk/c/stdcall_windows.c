// SPDX-License-Identifier: MIT

// The same functions as stdcall, which VB6, VBA and Visual FoxPro call. On 64 bits both are one convention.
#include "_cgo_export.h"

#define SHARED(type) __declspec(dllexport) type __stdcall

SHARED(int) lms_open(char *options) { return lm_open(options); }
SHARED(char *) lms_error(void) { return lm_error(); }
SHARED(char *) lms_check(int handle, char *key) { return lm_check(handle, key); }
SHARED(char *) lms_check_cached(int handle, char *key, int seconds) { return lm_check_cached(handle, key, seconds); }
SHARED(int) lms_start(int handle, char *key) { return lm_start(handle, key); }
SHARED(void) lms_stop(int handle) { lm_stop(handle); }
SHARED(int) lms_has(int handle, char *code) { return lm_has(handle, code); }
SHARED(char *) lms_get(int handle, char *name) { return lm_get(handle, name); }
SHARED(int) lms_release(int handle, char *key) { return lm_release(handle, key); }
SHARED(char *) lms_portal_url(int handle, char *key) { return lm_portal_url(handle, key); }
SHARED(int) lms_use(int handle, char *code, int amount) { return lm_use(handle, code, amount); }
SHARED(int) lms_consume(int handle, char *code, int amount) { return lm_consume(handle, code, amount); }
SHARED(char *) lms_start_trial(int handle, char *email, char *name) { return lm_start_trial(handle, email, name); }
SHARED(void) lms_close(int handle) { lm_close(handle); }
SHARED(void) lms_free(char *text) { lm_free(text); }
SHARED(char *) lms_version(void) { return lm_version(); }
