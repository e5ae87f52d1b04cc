import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { type Encoding, IMPORT_MESSAGES, type ImportUpload } from '../../../contract/imports/imports.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { check, IMPORTS, progressOf, runImport, upload } from '../../../test/import-file.ts';

/** Files in any encoding, and how a person chooses it (INPUT-04). */

const TEXT = [
  'Nombre;Email;Teléfono;Razón Social',
  'José Núñez;jose@example.com;5512345678;Peña y Compañía',
  'Íñigo Güemes;inigo@example.com;5512345679;Camión Ñandú',
  '',
].join('\r\n');

const namesOf = async (t: TestApp) =>
  (await t.call('GET', '/licenses/api/clients/?ordering=created_at')).body.results
    .map(({ name, company }: { name: string; company: string }) => [name, company])
    .toSorted();
const STORED = [
  ['José Núñez', 'Peña y Compañía'],
  ['Íñigo Güemes', 'Camión Ñandú'],
];

async function runIt(t: TestApp, id: number, more: object = {}) {
  const { status } = await t.call('POST', `${IMPORTS}${id}/run/`, { body: more });
  expect(status).toBe(202);
  await runImport(t, id);
  return progressOf(t, id);
}

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16', Buffer.from(TEXT, 'utf16le').swap16()],
  ['Windows-1252', iconv.encode(TEXT, 'win1252')],
] as const)('a file in %s is read in it, and nobody is asked (INPUT-04)', async (encoding, file) => {
  const t = await createTestApp();
  const { status, body } = await upload(t, 'clients', file);
  expect([status, body.encoding, body.encodings, body.warnings]).toEqual([201, encoding, [], []]);
  expect([body.sheets, body.sheet]).toEqual([[], null]);
  await check(t, body.id, 'create', body.mapping);
  expect((await runIt(t, body.id)).result).toMatchObject({ created: 2 });
  expect(await namesOf(t)).toEqual(STORED);
});

test.each([
  ['Mac Roman', 'macroman'],
  ['CP850', 'cp850'],
] as const)(
  'a file in %s is read in it, and all encodings are offered with their words and rows (INPUT-04)',
  async (encoding, name) => {
    const t = await createTestApp();
    const { body } = await upload(t, 'clients', iconv.encode(TEXT, name));
    expect([body.encoding, body.encodings[0]?.encoding, body.warnings]).toEqual([encoding, encoding, []]);
    expect(body.encodings[0]).toEqual({
      encoding,
      sample: 'Teléfono, Razón, José, Núñez, Peña, Compañía',
      columns: ['Nombre', 'Email', 'Teléfono', 'Razón Social'],
      rows: body.sample,
    });
    const windows = body.encodings.find((one) => one.encoding === 'Windows-1252')!;
    expect(windows.sample).not.toContain('José');
    expect(windows.rows[0]![0]).toMatch(/^Jos.* N..ez$/);
    const { encoding: inUse, encodings, sample } = await progressOf(t, body.id);
    expect({ inUse, encodings, sample }).toEqual({
      inUse: encoding,
      encodings: body.encodings,
      sample: body.sample,
    });
    await check(t, body.id, 'create', body.mapping);
    await runIt(t, body.id);
    expect(await namesOf(t)).toEqual(STORED);
  },
);

const BROKEN = [
  ['José Núñez', 'PeÃ±a y CompaÃ±Ã\u00ada'],
  ['Íñigo Güemes', 'Camión Ñandú'],
];

test('a check in another encoding reads headers, sample and rows again, with a mapping by the names of before (INPUT-04)', async () => {
  const t = await createTestApp();
  const { body } = await upload(t, 'clients', iconv.encode(TEXT, 'cp850'));
  const wrong = await check(t, body.id, 'create', body.mapping, { encoding: 'Windows-1252' });
  expect(wrong.status).toBe(200);
  const found = await progressOf(t, body.id);
  expect([found.encoding, found.columns[2], found.sample[0]![0]]).toEqual([
    'Windows-1252',
    'Tel‚fono',
    'Jos‚ N£¤ez',
  ]);
  expect(found.mapping).toMatchObject({ Nombre: 'name', 'Tel‚fono': 'phone' });
  expect(found.warnings).toEqual([IMPORT_MESSAGES.broken([1, 2, 3], 3, 'Tel‚fono')]);
  // Back again, with the columns of now.
  const right = await check(t, body.id, 'create', found.mapping, { encoding: 'CP850' });
  expect([right.status, right.body.to_create]).toEqual([200, 2]);
  const again = await progressOf(t, body.id);
  expect([again.columns, again.sample, again.warnings, again.mapping]).toEqual([
    body.columns,
    body.sample,
    [],
    body.mapping,
  ]);
  await runIt(t, body.id);
  expect(await namesOf(t)).toEqual(STORED);
});

test('a run takes an encoding too, and keeps the mapping of the check (INPUT-04)', async () => {
  const t = await createTestApp();
  const { body } = await upload(t, 'clients', iconv.encode(TEXT, 'macroman'));
  await check(t, body.id, 'create', body.mapping, { encoding: 'CP850' });
  await runIt(t, body.id, { encoding: 'Mac Roman' });
  expect(await namesOf(t)).toEqual(STORED);
});

test('the errors of an import show the cells as they were read (INPUT-04)', async () => {
  const t = await createTestApp();
  const file = iconv.encode('Nombre,Email,Teléfono\nÍñigo Núñez,,5512345678\n', 'cp850');
  const { body } = await upload(t, 'clients', file);
  await check(t, body.id, 'create', body.mapping, { encoding: 'CP850' });
  const { text } = await t.call('GET', `${IMPORTS}${body.id}/errors/`);
  expect(text).toContain('Íñigo Núñez');
});

test('an encoding in which the bytes cannot be read is refused by check and run (INPUT-04)', async () => {
  const t = await createTestApp();
  const faultOf = async (file: Buffer, encoding: Encoding) => {
    const { body } = await upload(t, 'clients', file);
    const answer = await check(t, body.id, 'create', body.mapping, { encoding: encoding as never });
    return [answer.status, answer.body.errors?.encoding];
  };
  const refused = (encoding: Encoding) => [400, [IMPORT_MESSAGES.notReadAs(encoding)]];
  expect(await faultOf(Buffer.from(`\ufeff${TEXT}`, 'utf16le'), 'UTF-8')).toEqual(refused('UTF-8'));
  expect(await faultOf(Buffer.from(TEXT), 'UTF-16')).toEqual(refused('UTF-16'));
  expect((await faultOf(Buffer.from(TEXT), 'EBCDIC' as Encoding))[0]).toBe(400);
  expect((await faultOf(Buffer.from(TEXT), 'CP850'))[0]).toBe(200);
});

test('letters that no encoding makes whole are warned about with their rows, and stored as they are (INPUT-04)', async () => {
  const t = await createTestApp();
  const file = TEXT.replace('Peña y Compañía', 'PeÃ±a y CompaÃ±Ã\u00ada');
  const { body } = await upload(t, 'clients', file);
  expect([body.encoding, body.encodings[0]?.encoding]).toEqual(['UTF-8', 'UTF-8']);
  expect(body.warnings).toEqual([IMPORT_MESSAGES.broken([2], 1, 'PeÃ±a')]);
  expect(IMPORT_MESSAGES.broken([2], 1, 'PeÃ±a')).toBe(
    'La fila 2 tiene letras dañadas, como «PeÃ±a». Se guardan así si no las corriges.',
  );
  await check(t, body.id, 'create', body.mapping);
  await runIt(t, body.id);
  expect(await namesOf(t)).toEqual(BROKEN.map(([name, company]) => [name, company!.replace('\u00ad', '')]));
});

test('UTF-8 with a letter of another encoding is read as UTF-8, and the row is named (INPUT-04)', async () => {
  const t = await createTestApp();
  const file = Buffer.concat([
    Buffer.from(`\ufeff${TEXT}`),
    Buffer.from('Sof\xeda;sofia@example.com;5512345670;\r\n', 'latin1'),
  ]);
  const { body } = await upload(t, 'clients', file);
  expect([body.encoding, body.columns[0], body.sample[0]![0]]).toEqual(['UTF-8', 'Nombre', 'José Núñez']);
  expect(body.warnings).toEqual([IMPORT_MESSAGES.broken([4], 1, 'Sof\ufffda')]);
});

test('an import of before, whose file was not described, is read as it is stored', async () => {
  const t = await createTestApp();
  const { body } = await upload(t, 'clients', TEXT);
  await t.db.updateTable('imports').set({ options: '{}' }).where('id', '=', body.id).execute();
  const { encoding, encodings, sheets, sheet } = await progressOf(t, body.id);
  expect({ encoding, encodings, sheets, sheet } satisfies Partial<ImportUpload>).toEqual({
    encoding: null,
    encodings: [],
    sheets: [],
    sheet: null,
  });
  expect((await check(t, body.id, 'create', body.mapping)).body.to_create).toBe(2);
});
