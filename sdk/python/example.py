"""Un programa con licencia: python3 example.py XXXXX-XXXXX-XXXXX-XXXXX-XXXXX"""

import sys
from pathlib import Path

from license import License

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
    store=Path.home() / ".punto-de-venta.json",
    app_version="1.0.0",
)
key = sys.argv[1] if len(sys.argv) > 1 else ""

# Lo que lee la persona por cada motivo.
TEXTS = {
    "no_connection": "No hay conexión con el servidor de licencias. Conéctate a internet e inténtalo de nuevo.",
    "unverified": "La respuesta no viene del servidor de licencias. Revisa la red o el proxy.",
    "offline_expired": "Hace mucho que no hay conexión. Conéctate a internet una vez para seguir.",
    "clock_back": "El reloj de la computadora no es correcto. Corrígelo, conéctate a internet o pide otro archivo.",
    "installation_limit": "La licencia ya se usa en todas sus computadoras.",
    "suspended": "La licencia está suspendida. Escribe a tu proveedor.",
    "expired": "La licencia venció. Escribe a tu proveedor para renovarla.",
}

# Se llama al iniciar y después cada hora, mientras el programa funciona.
result = license.check(key)
if not result.ok:
    sys.exit(TEXTS.get(result.reason, f"La licencia no es válida ({result.reason})."))
days = "sin límite" if result.days_left is None else result.days_left
print(f"Licencia válida. Días restantes: {days}{' (sin conexión)' if result.offline else ''}")
if license.has("modulo_nomina"):
    print("Con el módulo de nómina.")
