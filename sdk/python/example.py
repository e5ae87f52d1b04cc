"""Un programa con licencia: python3 example.py XXXXX-XXXXX-XXXXX-XXXXX-XXXXX
La clave se escribe una vez: después el programa la recuerda."""

import os
import sys
from pathlib import Path
from queue import SimpleQueue

from license import License, Result

# True si vendes licencias flotantes: al cerrar, el programa devuelve su lugar para otro equipo.
FLOATING = False

# La carpeta donde el sistema guarda los ajustes de los programas.
if sys.platform == "win32":
    settings = Path(os.environ.get("APPDATA") or Path.home())
elif sys.platform == "darwin":
    settings = Path.home() / "Library" / "Application Support"
else:
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
folder = settings / "punto-de-venta"

license = License(
    server="https://licencias.example.com",
    software="punto-de-venta",
    # De Configuración › Firma: la clave actual y la siguiente.
    keys=[
        {
            "kid": "OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI",
            "x": "yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk",
            "y": "CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k",
        },
        {
            "kid": "P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI",
            "x": "DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI",
            "y": "vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74",
        },
    ],
    store=folder / "licencia.json",
    app_version="1.0.0",
)

key_file = folder / "clave.txt"


def read_key() -> str:
    """La clave que se escribió al llamar al programa, o la que se escribió antes."""
    if len(sys.argv) > 1:
        return sys.argv[1]
    try:
        # También sin los espacios y la marca invisible que deja un editor de textos.
        return key_file.read_text(encoding="utf-8-sig").strip()
    except (OSError, ValueError):
        return ""


def save_key() -> None:
    """Guarda la clave. Sin permiso o sin espacio el programa funciona igual."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        key_file.write_text(key, encoding="utf-8")
    except OSError:
        print("No se pudo guardar la clave: habrá que escribirla de nuevo la próxima vez.", file=sys.stderr)


key = read_key()


def work() -> None:
    """Lo que hace el programa sin que nada lo corte, como una venta."""
    if license.has("modulo_nomina"):
        print("Con el módulo de nómina.")


# Lo guardado responde al instante. El servidor se consulta en otro hilo, ahora y después cada cierto tiempo; cada
# resultado llega a esta cola.
changes: "SimpleQueue[Result]" = SimpleQueue()


def heard() -> Result:
    """El resultado que sigue. Dice qué pasó y qué hacer; también avisa antes de que el programa deje de funcionar."""
    change = changes.get()
    if change.message():
        print(change.message(), file=sys.stderr)
    return change


license.start(key, changes.put)
result = heard()
if result.ok:
    days = "sin límite" if result.days_left is None else result.days_left
    print(f"Licencia válida. Días restantes: {days}")
for _sale in range(1):
    if not result.ok:
        break
    work()
    # Un cambio se atiende entre una venta y otra, nunca a la mitad.
    if not changes.empty():
        result = heard()

# Un programa que termina enseguida espera al servidor: si no, nunca sabría de una baja.
while result.pending:
    result = heard()
if result.ok:
    save_key()
if result.ok and result.offline:
    print("Sin conexión con el servidor de licencias.")
license.stop()
if FLOATING:
    license.release(key)
sys.exit(0 if result.ok else 1)
