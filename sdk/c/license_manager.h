/* SPDX-License-Identifier: MIT */

/* The licence of a program, for C, C++ and whatever calls C. sdk/README.md says what every SDK does.
 *
 * Texts are UTF-8 and end with a zero. Each text that a function returns is freed with lm_free. Nothing returns NULL.
 * Every function may be called from any thread. A library that was loaded stays: it cannot be unloaded.
 *
 * On Windows each function exists twice: lm_open is cdecl, lms_open is stdcall, for VB6, VBA and Visual FoxPro.
 */
#ifndef LICENSE_MANAGER_H
#define LICENSE_MANAGER_H

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a licence. options is JSON with the names of sdk/README.md: server, software, keys and store, and perhaps file,
 * machineId, machineName, instance, appVersion, releasedOn, timeout. Returns its handle, or 0: lm_error then says which option is wrong. */
int lm_open(const char *options);

/* Says why the last lm_open gave 0, such as "software: its code"; else an empty text. */
char *lm_error(void);

/* Checks, and returns the result as JSON. It waits for the server, twice the timeout at most. */
char *lm_check(int handle, const char *key);

/* The same, but the last result where that is younger than these seconds: for whatever asks often. */
char *lm_check_cached(int handle, const char *key, int seconds);

/* Checks at once and then by itself in the background, until lm_stop. lm_get says what was found last: at once what is
 * kept, where that is good, although the server may hang; it waits for that a third of a second at most. lm_get "pending" is
 * "true" until the first check has ended; where nothing is kept "ok" is "false" so long, and the text is empty. Returns 1, or
 * 0 for a handle that is not open. */
int lm_start(int handle, const char *key);
void lm_stop(int handle);

/* 1 when the last result was ok and the licence has this code with a value other than false. */
int lm_has(int handle, const char *code);

/* A field of the last result as text, such as "ok" ("true" or "false"), "pending", "reason", "daysLeft", "seatFreeAt",
 * "features.usuarios"; the uses that the server refused by "refusedUses" (JSON, mostly "[]"); the text for the program's user
 * by "message.es" and "message.en"; what is left of a meter by "remaining.documentos", also without connection; and "machineId",
 * "releaseReason", "releaseDetail", "portalReason", "portalDetail", "trialReason", "trialDetail". Empty where there is none. */
char *lm_get(int handle, const char *name);

/* Gives the seat back. 1 when the server signed that this computer has none now; else lm_get says why by "releaseReason". */
int lm_release(int handle, const char *key);

/* An address of the portal for this computer's seat, for the browser: it works once, within five minutes. Empty where there
 * is none; lm_get then says why by "portalReason". */
char *lm_portal_url(int handle, const char *key);

/* Notes that something was used, by the code of a meter, in a file beside the store: checks send it, and it counts once. amount
 * is 1 or more. 1 when it is kept; 0 too where less is left of a meter that refuses what is beyond. */
int lm_use(int handle, const char *code, int amount);

/* Asks the server to count this now, with the key that was checked last. 1 only when it did. It waits for the server, the
 * timeout at most; a call without an answer, made again, counts once. */
int lm_consume(int handle, const char *code, int amount);

/* Starts the trial of this computer, or finds the one that it has, and returns its key for lm_check. email and name of the user
 * may be empty. Empty where there is no trial; lm_get then says why by "trialReason". */
char *lm_start_trial(int handle, const char *email, const char *name);

/* Forgets a licence. Neither this nor the end of the program gives the seat back. */
void lm_close(int handle);

/* Frees a text. */
void lm_free(char *text);

/* The version of the library. */
char *lm_version(void);

#ifdef __cplusplus
}
#endif
#endif
