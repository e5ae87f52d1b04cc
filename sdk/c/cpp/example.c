/* Un programa con licencia, en C: example XXXXX-XXXXX-XXXXX-XXXXX-XXXXX
 * La clave se escribe una vez: después el programa la recuerda. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "license_manager.h"

#ifdef _WIN32
#define SETTINGS "APPDATA"
#else
#define SETTINGS "HOME"
#endif

/* 1 si vendes licencias flotantes: al cerrar, el programa devuelve su lugar para otro equipo. */
static const int floating = 0;

/* %s es la carpeta del programa. Las claves son de Configuración › Firma: la actual y la siguiente. */
static const char OPTIONS[] =
    "{\"server\": \"https://licencias.example.com\", \"software\": \"punto-de-venta\", \"appVersion\": \"1.0.0\","
    " \"store\": \"%s/licencia.json\", \"keys\": ["
    "{\"kid\": \"OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI\","
    " \"x\": \"yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk\","
    " \"y\": \"CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k\"},"
    "{\"kid\": \"P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI\","
    " \"x\": \"DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI\","
    " \"y\": \"vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74\"}]}";

/* Un dato del último resultado; dura hasta la siguiente llamada. */
static const char *get(int license, const char *name) {
  static char value[2048];
  char *text = lm_get(license, name);
  snprintf(value, sizeof value, "%s", text);
  lm_free(text);
  return value;
}

int main(int count, char **arguments) {
  char folder[512], path[600], options[2048], key[300] = "";
  snprintf(folder, sizeof folder, "%s/.punto-de-venta", getenv(SETTINGS) ? getenv(SETTINGS) : ".");
  /* En JSON la diagonal inversa tiene otro significado; Windows acepta la diagonal normal. */
  for (char *sign = folder; *sign; sign++) if (*sign == '\\') *sign = '/';
  snprintf(path, sizeof path, "%s/clave.txt", folder);
  FILE *file = fopen(path, "rb");
  if (count > 1 && *arguments[1]) snprintf(key, sizeof key, "%s", arguments[1]);
  /* Con los espacios y la marca invisible de un editor de textos, que la biblioteca quita. */
  else if (file) key[fread(key, 1, sizeof key - 1, file)] = 0;
  if (file) fclose(file);

  snprintf(options, sizeof options, OPTIONS, folder);
  int license = lm_open(options);
  if (license == 0) {
    char *problem = lm_error();
    fprintf(stderr, "%s\n", problem);
    lm_free(problem);
    return 1;
  }
  /* Un programa con ventanas llama lm_start(license, key) y lee el resultado con un temporizador. */
  lm_free(lm_check(license, key));
  int is_ok = strcmp(get(license, "ok"), "true") == 0;
  if (is_ok) {
    /* Sin permiso o sin espacio el programa funciona igual. */
    int is_saved = (file = fopen(path, "w")) && fputs(key, file) >= 0;
    if (file && fclose(file) != 0) is_saved = 0;
    if (!is_saved) fputs("No se pudo guardar la clave: habrá que escribirla de nuevo la próxima vez.\n", stderr);
    const char *days = get(license, "daysLeft");
    printf("Licencia válida. Días restantes: %s\n", *days ? days : "sin límite");
  }
  /* Qué pasó y qué hacer; también avisa antes de que el programa deje de funcionar. */
  const char *text = get(license, "message.es");
  if (*text) fprintf(stderr, "%s\n", text);
  if (is_ok && lm_has(license, "modulo_nomina")) puts("Con el módulo de nómina.");
  if (floating) lm_release(license, key);
  lm_close(license);
  return is_ok ? 0 : 1;
}
