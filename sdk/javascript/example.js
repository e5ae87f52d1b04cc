// Un programa con licencia: node example.js XXXXX-XXXXX-XXXXX-XXXXX-XXXXX
// La clave se escribe una vez: después el programa la recuerda.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { License, messageFor } from './license.js';

/** true: las licencias son flotantes, y el lugar se devuelve al terminar. */
const FLOATING = false;

/** Donde cada sistema guarda la configuración de los programas de una persona. */
const SETTINGS = {
  win32: process.env.APPDATA,
  darwin: join(homedir(), 'Library', 'Application Support'),
  linux: process.env.XDG_CONFIG_HOME,
};
const folder = join(SETTINGS[process.platform] || join(homedir(), '.config'), 'punto-de-venta');
const keyFile = join(folder, 'clave.txt');

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
  store: join(folder, 'licencia.json'),
  appVersion: '1.0.0',
});

/** La clave que se escribió al llamar al programa, o la que se escribió antes. */
function readKey() {
  if (process.argv[2]) return process.argv[2];
  try {
    // También sin los espacios y la marca invisible que deja un editor de textos.
    return readFileSync(keyFile, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Guarda la clave. Sin permiso o sin espacio el programa funciona igual. */
function saveKey() {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(keyFile, key);
  } catch {
    console.error('No se pudo guardar la clave: habrá que escribirla de nuevo la próxima vez.');
  }
}

const key = readKey();

/** Si un trabajo nuevo puede empezar. El que ya empezó siempre termina: nadie pierde lo que hizo. */
let mayBegin = false;

/** Se llama con lo guardado, luego con lo que dice el servidor, y después con cada cambio. */
function changed(result) {
  mayBegin = result.ok;
  // Qué pasó y qué hacer; también avisa antes de que el programa deje de funcionar.
  const text = messageFor(result, 'es');
  if (text) console.error(text);
}

/** El trabajo del programa. */
function work() {
  if (license.has('modulo_nomina')) console.log('Con el módulo de nómina.');
}

// Lo guardado responde al instante. El servidor se consulta en segundo plano, ahora y cada vez que el resultado lo pide.
let hear;
const answered = new Promise((resolve) => {
  hear = resolve;
});
const first = await new Promise((resolve) => {
  license.start(key, (result) => {
    changed(result);
    resolve(result);
    if (!result.pending) hear(result);
  });
});
if (first.ok) {
  const days = first.daysLeft ?? 'sin límite';
  console.log(`Licencia válida. Días restantes: ${days}`);
}
if (mayBegin) work();
// Un programa que termina enseguida espera al servidor: si no, nunca sabría de una baja.
const last = await answered;
if (last.ok) saveKey();
if (last.ok && last.offline) console.log('Sin conexión con el servidor de licencias.');
license.stop();
if (FLOATING) await license.release(key);
process.exitCode = last.ok ? 0 : 1;
