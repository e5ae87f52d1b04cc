// Un programa con licencia, en C++: example XXXXX-XXXXX-XXXXX-XXXXX-XXXXX
// La clave se escribe una vez: después el programa la recuerda.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

#include "license_manager.hpp"

// true si vendes licencias flotantes: al cerrar, el programa devuelve su lugar para otro equipo.
const bool floating = false;

// De Configuración › Firma: la clave actual y la siguiente.
const std::vector<license_manager::Key> keys = {
    {"OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI", "yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk",
     "CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k"},
    {"P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI", "DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI",
     "vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74"},
};

int main(int count, char **arguments) {
  const char *settings = std::getenv("APPDATA") ? std::getenv("APPDATA") : std::getenv("HOME");
  const std::string folder = std::string(settings ? settings : ".") + "/.punto-de-venta";

  license_manager::Options options;
  options.server = "https://licencias.example.com";
  options.software = "punto-de-venta";
  options.keys = keys;
  options.store = folder + "/licencia.json";
  options.app_version = "1.0.0";
  license_manager::License license(options);

  std::string key = count > 1 ? arguments[1] : "";
  // Con los espacios y la marca invisible de un editor de textos, que la biblioteca quita.
  std::ifstream kept(folder + "/clave.txt");
  if (key.empty()) key.assign(std::istreambuf_iterator<char>(kept), std::istreambuf_iterator<char>());
  // Un programa con ventanas llama license.start(key) y lee el resultado con un temporizador.
  const bool is_ok = license.check(key);
  if (is_ok) {
    // Sin permiso o sin espacio el programa funciona igual.
    std::ofstream file(folder + "/clave.txt");
    file << key;
    file.close();
    if (!file) std::cerr << "No se pudo guardar la clave: habrá que escribirla de nuevo la próxima vez." << std::endl;
    const std::string days = license.get("daysLeft");
    std::cout << "Licencia válida. Días restantes: " << (days.empty() ? "sin límite" : days) << std::endl;
  }
  // Qué pasó y qué hacer; también avisa antes de que el programa deje de funcionar.
  if (!license.message("es").empty()) std::cerr << license.message("es") << std::endl;
  if (is_ok && license.has("modulo_nomina")) std::cout << "Con el módulo de nómina." << std::endl;
  if (floating) license.release(key);
  return is_ok ? 0 : 1;
}
