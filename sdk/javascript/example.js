// Un programa con licencia: node example.js XXXXX-XXXXX-XXXXX-XXXXX-XXXXX
import { homedir } from 'node:os';
import { join } from 'node:path';
import { License } from './license.js';

const license = new License({
  server: 'https://licencias.example.com',
  software: 'punto-de-venta',
  // De Configuración › Firma: la clave actual y la siguiente.
  keys: [
    {
      kid: 'OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI',
      x: 'yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk',
      y: 'CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k',
    },
    {
      kid: 'P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI',
      x: 'DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI',
      y: 'vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74',
    },
  ],
  store: join(homedir(), '.punto-de-venta.json'),
  appVersion: '1.0.0',
});
const key = process.argv[2] ?? '';

/** Lo que lee la persona por cada motivo. */
const TEXTS = {
  no_connection: 'No hay conexión con el servidor de licencias. Conéctate a internet e inténtalo de nuevo.',
  unverified: 'La respuesta no viene del servidor de licencias. Revisa la red o el proxy.',
  offline_expired: 'Hace mucho que no hay conexión. Conéctate a internet una vez para seguir.',
  clock_back:
    'El reloj de la computadora no es correcto. Corrígelo, conéctate a internet o pide otro archivo.',
  installation_limit: 'La licencia ya se usa en todas sus computadoras.',
  suspended: 'La licencia está suspendida. Escribe a tu proveedor.',
  expired: 'La licencia venció. Escribe a tu proveedor para renovarla.',
};

async function check() {
  const { ok, reason, daysLeft, offline } = await license.check(key);
  if (!ok) {
    console.error(TEXTS[reason] ?? `La licencia no es válida (${reason}).`);
    process.exit(1);
  }
  console.log(
    `Licencia válida. Días restantes: ${daysLeft ?? 'sin límite'}${offline ? ' (sin conexión)' : ''}`,
  );
}

await check();
setInterval(check, 60 * 60 * 1000).unref();
if (license.has('modulo_nomina')) console.log('Con el módulo de nómina.');
