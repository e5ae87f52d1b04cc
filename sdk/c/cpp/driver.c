/* SPDX-License-Identifier: MIT */

/* The driver is what the tests run: driver OPTIONS.json COMMAND…, one line for each command. "check KEY", "cached KEY",
 * "has CODE", "get NAME", "release KEY", "portal KEY", "use CODE", "consume CODE", "trial MAIL", "start KEY", "stop" and "settle" (it waits
 * until the check of a start has answered) stand in one argument each. */
#include <stdio.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#define nap() Sleep(1000)
#else
#include <unistd.h>
#define nap() sleep(1)
#endif
#ifdef STDCALL
/* As VB6, VBA and Visual FoxPro call it. */
#define lm(name) lms_##name
int __stdcall lms_open(const char *);
char *__stdcall lms_error(void);
char *__stdcall lms_check(int, const char *);
char *__stdcall lms_check_cached(int, const char *, int);
int __stdcall lms_start(int, const char *);
void __stdcall lms_stop(int);
int __stdcall lms_has(int, const char *);
char *__stdcall lms_get(int, const char *);
int __stdcall lms_release(int, const char *);
char *__stdcall lms_portal_url(int, const char *);
int __stdcall lms_use(int, const char *, int);
int __stdcall lms_consume(int, const char *, int);
char *__stdcall lms_start_trial(int, const char *, const char *);
void __stdcall lms_close(int);
void __stdcall lms_free(char *);
char *__stdcall lms_version(void);
#else
#include "license_manager.h"
#define lm(name) lm_##name
#endif

static void print(char *text) {
  puts(text);
  fflush(stdout);
  lm(free)(text);
}

static void print_number(int number) {
  printf("%d\n", number);
  fflush(stdout);
}

static void settle(int handle) {
  for (int seconds = 0; seconds < 60; seconds++) {
    char *pending = lm(get)(handle, "pending");
    int isPending = strcmp(pending, "true") == 0;
    lm(free)(pending);
    if (!isPending) return;
    nap();
  }
}

/* The rest of a command after its name, if it has that name. */
static const char *after(const char *command, const char *name) {
  size_t length = strlen(name);
  if (strncmp(command, name, length) != 0) return NULL;
  return command[length] == ' ' ? command + length + 1 : command[length] == 0 ? "" : NULL;
}

int main(int count, char **arguments) {
  static char options[65536];
  FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
  if (file == NULL) return 2;
  options[fread(options, 1, sizeof options - 1, file)] = 0;
  fclose(file);
  int handle = lm(open)(options);
  if (handle == 0) {
    print(lm(error)());
    return 1;
  }
  for (int i = 2; i < count; i++) {
    const char *rest;
    if ((rest = after(arguments[i], "check"))) print(lm(check)(handle, rest));
    else if ((rest = after(arguments[i], "cached"))) print(lm(check_cached)(handle, rest, 60));
    else if ((rest = after(arguments[i], "has"))) print_number(lm(has)(handle, rest));
    else if ((rest = after(arguments[i], "get"))) print(lm(get)(handle, rest));
    else if ((rest = after(arguments[i], "release"))) print_number(lm(release)(handle, rest));
    else if ((rest = after(arguments[i], "portal"))) print(lm(portal_url)(handle, rest));
    else if ((rest = after(arguments[i], "use"))) print_number(lm(use)(handle, rest, 2));
    else if ((rest = after(arguments[i], "consume"))) print_number(lm(consume)(handle, rest, 1));
    else if ((rest = after(arguments[i], "trial"))) print(lm(start_trial)(handle, rest, "Ana"));
    else if ((rest = after(arguments[i], "start"))) print_number(lm(start)(handle, rest));
    else if (after(arguments[i], "settle")) settle(handle);
    else if (after(arguments[i], "stop")) lm(stop)(handle);
    else if (after(arguments[i], "close")) lm(close)(handle);
    else if (after(arguments[i], "version")) print(lm(version)());
    else return 2;
  }
  lm(close)(handle);
  return 0;
}
