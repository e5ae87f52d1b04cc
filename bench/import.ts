// npm run bench:import [-- sqlite|postgres [clients|software|licenses [rows [csv|xlsx [upload]]]]]: imports a large file
// into the real server. It prints rows per second, the memory of the process, the longest hold of its event loop, and the
// response times of staff meanwhile (docs/performance.md). With `upload` nothing but the
// upload; after the import of .xlsx the list is exported in both forms.
// PostgreSQL is started for the measurement.
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { type ImportProgress, XLSX_TYPE } from '../contract/imports/imports.ts';
import { startCluster } from '../test/postgres/cluster.ts';
import { createDatabase } from '../test/postgres/databases.ts';
import { textRow, workbookFile } from '../test/workbook.ts';
import { longestHold, WATCHED } from './longest-hold.ts';
import { signIn, startServer } from './processes.ts';

const [engine = 'sqlite', kind = 'clients', count = '100000', form = 'csv', only] = process.argv.slice(2);
const rows = Number(count);
const API = '/licenses/api';
/** Staff load a page every tenth of a second, like ten busy people. */
const PAUSE_MS = 100;
const STAFF_PATHS = [
  `${API}/clients/?page=1&page_size=20`,
  `${API}/licenses/?page=1&page_size=20&ordering=-created_at`,
  `${API}/statistics/`,
];

const names = ['Ana López', 'José Ñandú', 'María Peña', 'Íñigo Ruiz', 'Sofía Güemes'];
const LINES: Record<string, { head: string; line: (n: number) => string }> = {
  clients: {
    head: 'Nombre;Correo electrónico;Teléfono;Empresa;Ciudad;Estado/Provincia;Notas',
    line: (n) =>
      `${names[n % 5]} ${n};cliente${n}@mx.mx;(55) ${1000 + (n % 9000)}-${1000 + (n % 7919)};Comercial ${n % 997};Guadalajara;Jalisco;"Cliente desde ${2000 + (n % 26)}; llamar"`,
  },
  software: { head: 'Nombre;Versión;Descripción', line: (n) => `Programa ${n % 500};${n};Versión ${n}` },
  licenses: {
    head: 'Clave;Email;Software;Versión;Categoría;Precio;Fecha de emisión;Vence;Puestos',
    line: (n) =>
      `VENTA-${String(n).padStart(7, '0')};comprador${n % 50}@mx.mx;Caja;1;premium;"1.${100 + (n % 900)},50";${1 + (n % 28)}/3/2026;${1 + (n % 28)}/3/2027;${1 + (n % 9)}`,
  },
};

const cluster = engine === 'postgres' ? await startCluster() : null;
const database = cluster && (await createDatabase({ adminUrl: cluster.url }));
const dataDir = mkdtempSync(join(tmpdir(), 'license-manager-import-'));
const logFd = openSync(join(dataDir, 'server.log'), 'a');
const server = await startServer({
  dataDir,
  logFd,
  nodeOptions: WATCHED,
  ...(database && { databaseUrl: database.url }),
});
let token = '';

async function call(
  method: string,
  path: string,
  body?: string | Buffer | object,
  type = 'application/json',
) {
  const answer = await fetch(server.origin + path, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && {
      body: typeof body === 'string' || Buffer.isBuffer(body) ? (body as BodyInit) : JSON.stringify(body),
    }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

const memoryOf = () => server.memory() / 1024 / 1024;
const percentile = (samples: number[], part: number) =>
  [...samples].sort((a, b) => a - b)[Math.min(samples.length - 1, Math.floor(samples.length * part))] ?? 0;

/** Waits for an import while staff make calls, and prints the results. */
async function follow(id: number, what: string, until: string[]): Promise<ImportProgress> {
  const start = performance.now();
  const times: number[] = [];
  const writes: number[] = [];
  const memory: number[] = [];
  const own: number[] = [];
  let state = '';
  let staff = true;
  const reading = (async () => {
    for (let n = 0; staff; n += 1) {
      const began = performance.now();
      await call('GET', STAFF_PATHS[n % STAFF_PATHS.length]!);
      times.push(performance.now() - began);
      if (n % 5 === 0) {
        const write = performance.now();
        await call('POST', `${API}/software/register/`, { name: 'Prueba', version: String(n % 20) });
        writes.push(performance.now() - write);
      }
      await sleep(PAUSE_MS);
    }
  })();
  let progress: ImportProgress;
  do {
    await sleep(250);
    progress = await call('GET', `${API}/imports/${id}/`);
    state = progress.state;
    memory.push(memoryOf());
    own.push(server.ownMemory() / 1024 / 1024);
  } while (!until.includes(state));
  const seconds = (performance.now() - start) / 1000;
  staff = false;
  await reading;
  const quarters = (values: number[]) => {
    const most = (from: number, to: number) =>
      Math.max(...values.slice(Math.floor(values.length * from), Math.max(1, Math.ceil(values.length * to))));
    return `${most(0, 0.25).toFixed(0)} MB in the first quarter, ${most(0.75, 1).toFixed(0)} MB in the last, at most ${most(0, 1).toFixed(0)}`;
  };
  console.log(
    `${engine} ${kind} ${what}: ${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} a second; ` +
      `staff p50 ${percentile(times, 0.5).toFixed(0)} p95 ${percentile(times, 0.95).toFixed(0)} max ${Math.max(...times).toFixed(0)} ms (${times.length}), ` +
      `writes p95 ${percentile(writes, 0.95).toFixed(0)} ms (${writes.length}); ` +
      `memory ${quarters(memory)}; without pages of files ${quarters(own)}`,
  );
  return progress;
}

/** A workbook as Excel writes it, with the texts in a list of their own. */
async function workbook(csv: string): Promise<Buffer> {
  const rows: string[][] = parse(csv, { delimiter: ';' });
  const texts = new Map<string, number>();
  const indexOf = (text: string) => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, texts.size);
    return texts.size - 1;
  };
  const sheet = rows.map((cells, at) =>
    at === 0
      ? textRow(1, cells)
      : `<row r="${at + 1}">${cells
          .map(
            (text, n) => `<c r="${String.fromCharCode(65 + n)}${at + 1}" t="s"><v>${indexOf(text)}</v></c>`,
          )
          .join('')}</row>`,
  );
  const strings = [...texts.keys()].map((text) => `<si><t>${text.replaceAll('&', '&amp;')}</t></si>`);
  return workbookFile({ sheets: { Hoja1: sheet.join('') }, strings: strings.join('') });
}

const megabytesOf = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);

/** Does something with a server at rest, and prints how long it took, its memory above rest and its longest hold. */
async function measured<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  await sleep(2000);
  const rest = server.ownMemory();
  let most = rest;
  const watch = setInterval(() => {
    most = Math.max(most, server.ownMemory());
  }, 20);
  await longestHold(server);
  const began = performance.now();
  try {
    return await work();
  } finally {
    clearInterval(watch);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const { clockMs, cpuMs } = await longestHold(server);
    console.log(
      `${engine} ${kind} ${rows} rows, ${what}: ${seconds} s, ${megabytesOf(most - rest)} MB above rest (${megabytesOf(rest)}), ` +
        `longest hold ${cpuMs.toFixed(0)} ms of processor, ${clockMs.toFixed(0)} ms by the clock`,
    );
  }
}

/** Exports the list in both forms. */
async function exportAll(): Promise<void> {
  for (const file of ['csv', 'xlsx']) {
    await measured(`export as ${file}`, async () => {
      const answer = await fetch(`${server.origin}${API}/${kind}/export/?file=${file}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      for await (const _piece of answer.body!);
    });
  }
}

async function importRows(id: number, mapping: unknown): Promise<void> {
  await call('POST', `${API}/imports/${id}/check/`, { mapping, mode: 'create' });
  const { check } = await follow(id, 'check', ['checked', 'uploaded']);
  console.log(JSON.stringify({ ...check, errors: check?.errors.slice(0, 2) }));
  await call('POST', `${API}/imports/${id}/run/`, {});
  const { result } = await follow(id, 'run', ['done', 'failed']);
  console.log(JSON.stringify({ ...result, errors: result?.errors.slice(0, 2) }));
  if (form === 'xlsx') await exportAll();
}

try {
  token = await signIn(server.origin);
  await call('POST', `${API}/software/`, { name: 'Caja', version: '1' });
  for (let n = 0; kind === 'licenses' && n < 50; n += 1) {
    await call('POST', `${API}/clients/`, { name: 'C', email: `comprador${n}@mx.mx`, phone: '5512345678' });
  }
  const { head, line } = LINES[kind]!;
  const file = `${head}\r\n${Array.from({ length: rows }, (_, n) => line(n)).join('\r\n')}\r\n`;
  const [bytes, type] = form === 'xlsx' ? [await workbook(file), XLSX_TYPE] : [Buffer.from(file), 'text/csv'];
  const { id, mapping } = await measured(`upload of ${megabytesOf(bytes.length)} MB as ${form}`, () =>
    call('POST', `${API}/imports/?kind=${kind}`, bytes, type),
  );
  if (only !== 'upload') await importRows(id, mapping);
} finally {
  await server.stop();
  await database?.drop();
  await cluster?.stop();
  closeSync(logFd);
  rmSync(dataDir, { recursive: true, force: true });
}
