import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../server/config.ts';
import { SECRET_KEY_FILE } from '../server/secret-key.ts';
import { placeInDump } from './dump-content.ts';
import { dumpLine, restoreLines } from './postgres-lines.ts';
import { lookInto, type PostgresPlace } from './postgres-place.ts';

/** What the commands say where PostgreSQL's own programs copy and restore (decision 172). */

const indented = (lines: string[]): string => lines.map((line) => `  ${line}`).join('\n');
const number = (rows: number): string => rows.toLocaleString('es-MX');

/** Older programs refuse a newer server. A pooler may lend them another connection after each transaction. */
function programs({ databaseUrl, databasePooler }: Config): string {
  const direct = databasePooler === null ? '' : ', con su host y su puerto en lugar de los del pooler';
  const hasPassword = databaseUrl !== null && new URL(databaseUrl).password !== '';
  const asked = hasPassword ? ' Piden la contraseña de DATABASE_URL, o la leen de PGPASSWORD.' : '';
  return `Usa los de la versión de tu servidor${direct}.${asked}`;
}

/** Why a database is not copied, the lines that copy and restore it, and what else to keep. */
export function tooManyRows(config: Config, place: PostgresPlace, file: string, rows: number): string {
  const url = config.databaseUrl ?? '';
  const key =
    config.secretKey === null
      ? `Guarda también ${join(config.dataDir, SECRET_KEY_FILE)}`
      : 'Guarda también SECRET_KEY';
  return [
    `La base de datos tiene ${number(rows)} filas, más que BACKUP_ROWS_MAX (${number(config.backupRowsMax)}): no se hizo la copia.`,
    `Cópiala con los programas de PostgreSQL. ${programs(config)}`,
    '',
    indented([dumpLine(url, place, file)]),
    '',
    'Así se restaura, en una base de datos nueva, que después se escribe en DATABASE_URL:',
    '',
    indented(restoreLines(url, place, file, false)),
    '',
    `${key}: sin esa clave no se pueden leer la verificación en dos pasos ni las claves de firma.`,
    'Si hay tiempo y disco, también puedes subir BACKUP_ROWS_MAX.',
  ].join('\n');
}

/** The lines that restore a dump of pg_dump, which earlier versions of `npm run backup` made. */
export async function dumpIsRestoredBy(config: Config, file: string): Promise<string> {
  const what = `${file} es una copia de pg_dump, como las que npm run backup hacía de PostgreSQL hasta la versión 0.3.0.`;
  const { databaseUrl: url } = config;
  const now = url === null ? null : await lookInto(url);
  const place = placeInDump(file, now?.schema ?? 'public');
  if (place === null) return `${file} no es una copia de License Manager.`;
  if (url === null || now === null) {
    return `${what} Se restaura en PostgreSQL: indica DATABASE_URL y repite, y se dice con qué líneas.`;
  }
  const { isEmpty } = await lookInto(url, place.schema);
  const where = isEmpty
    ? 'Se restaura en la base de datos de DATABASE_URL'
    : 'La base de datos de DATABASE_URL no está vacía: se restaura en una nueva, que después se escribe ahí,';
  const elsewhere =
    now.schema === place.schema
      ? []
      : [
          '',
          `Las tablas quedan en el esquema «${place.schema}», y DATABASE_URL trabaja en «${now.schema}»: antes de iniciar el servidor pon «${place.schema}» al principio de su search_path.`,
        ];
  const key =
    config.secretKey === null && existsSync(`${file}.key`)
      ? ['', `Y su clave: copia ${file}.key a ${join(config.dataDir, SECRET_KEY_FILE)}.`]
      : [];
  return [
    `${what} No se cambió nada.`,
    `${where} con los programas de PostgreSQL. ${programs(config)}`,
    '',
    indented(restoreLines(url, place, file, isEmpty)),
    ...elsewhere,
    ...key,
  ].join('\n');
}
