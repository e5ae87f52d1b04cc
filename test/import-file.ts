import type { z } from 'zod';
import type { ImportMapping } from '../contract/imports/import-mapping.ts';
import type { ImportMode, ImportProgress, ImportUpload, importCheck } from '../contract/imports/imports.ts';
import { importJob } from '../server/features/imports/import-job.ts';
import type { TestApp } from './app.ts';
import { quiet } from './deliver-mail.ts';

/** The calls of an import, as the console makes them. */

export const IMPORTS = '/licenses/api/imports/';

/** Uploads a file. */
export const upload = (
  t: TestApp,
  kind: string,
  file: string | Buffer,
  token?: string,
  { sheet, type = 'text/csv' }: { sheet?: string; type?: string } = {},
) => {
  const query = new URLSearchParams({ kind, ...(sheet !== undefined && { sheet }) });
  return t.call<ImportUpload & { message?: string; errors?: Record<string, string[]> }>(
    'POST',
    `${IMPORTS}?${query}`,
    { payload: file, headers: { 'content-type': type }, ...(token !== undefined && { token }) },
  );
};

/** Runs the job of an import once, like the runner. */
export const runImport = (t: TestApp, id: number, signal = new AbortController().signal) =>
  importJob.runStored(t.context, JSON.stringify({ import: id }), {
    log: quiet,
    signal,
    tries: 1,
    isLastTry: false,
  });

export const progressOf = async (t: TestApp, id: number): Promise<ImportProgress> =>
  (await t.call<ImportProgress>('GET', `${IMPORTS}${id}/`)).body;

/** What a check is told beside the mapping and the mode. */
export type Choices = Omit<z.input<typeof importCheck>, 'mapping' | 'mode'>;

/** Checks an uploaded file; a large one with the job. */
export async function check(
  t: TestApp,
  id: number,
  mode: ImportMode,
  mapping: ImportMapping,
  choices: Choices = {},
) {
  const answer = await t.call('POST', `${IMPORTS}${id}/check/`, { body: { mapping, mode, ...choices } });
  if (answer.status === 202) await runImport(t, id);
  return answer;
}

/**
 * Uploads, checks and runs a file with the mapping that its headers suggest.
 * @returns the result of the check and of the run
 */
export async function importFile(
  t: TestApp,
  kind: string,
  file: string | Buffer,
  mode: ImportMode = 'create',
  choices: Choices = {},
) {
  const uploaded = await upload(t, kind, file);
  if (uploaded.status !== 201) throw new Error(`The upload answered ${uploaded.status}: ${uploaded.text}`);
  const { id, mapping } = uploaded.body;
  const checked = await check(t, id, mode, mapping, choices);
  if (checked.status >= 300) throw new Error(`The check answered ${checked.status}: ${checked.text}`);
  const forecast = (await progressOf(t, id)).check!;
  const started = await t.call('POST', `${IMPORTS}${id}/run/`, { body: {} });
  if (started.status !== 202) throw new Error(`The run answered ${started.status}: ${started.text}`);
  await runImport(t, id);
  return { id, uploaded: uploaded.body, forecast, progress: await progressOf(t, id) };
}

/** Undoes an import with its job. */
export async function undoImport(t: TestApp, id: number) {
  const answer = await t.call('POST', `${IMPORTS}${id}/undo/`, { body: {} });
  if (answer.status !== 202) throw new Error(`The undo answered ${answer.status}: ${answer.text}`);
  await runImport(t, id);
  return progressOf(t, id);
}
