import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { ASCII_BASED, type AsciiBased, readingsOf, rereading, textOf, utf16Of } from './encodings.ts';

/** The names of the encodings in the package that writes them here. */
const WRITTEN: Record<AsciiBased, string> = {
  'UTF-8': 'utf8',
  'Windows-1252': 'win1252',
  'Mac Roman': 'macroman',
  CP850: 'cp850',
};
const write = (text: string, encoding: AsciiBased) => iconv.encode(text, WRITTEN[encoding]);
const readAs = async (bytes: Buffer, encoding: Parameters<typeof textOf>[1]) =>
  [...(await textOf(bytes, encoding))].join('');

/** Words as they stand in files of clients and licences, with each letter that Spanish has beyond ASCII. */
const WORDS =
  `José María Núñez Peña García López Sánchez Martínez Rodríguez Ramírez Íñigo Ángel Óscar Úrsula Élida Ñandú
Muñoz Güemes Lingüística Pingüino Argüello Yáñez Ibáñez Ordóñez México Córdoba Tucumán Neuquén Mérida Querétaro
Potosí Yucatán Bogotá Asunción Perú Panamá España año niño mañana señal teléfono dirección código número artículo
razón país también según después último única Último Único compañía Compañía licencia-año Técnica crédito débito
Público período información facturación renovación suspensión vencimiento-día lápiz árbol éxito índice órgano útil
ñoño cigüeña desagüe vergüenza bilingüe CAMIÓN NIÑO MÉXICO NÚÑEZ ÁNGEL PINGÜINO ÍNDICE LÓPEZ SEÑAL GARCÍA ¿Cuándo?
¡Sí! 1º 2ª «Peña» Caja Nómina Avenida calle Software Basic`.split(/\s+/);
const PLAIN = /^[\x20-\x7e]*$/;

/** Texts of a few words. One letter alone can be right in two encodings, so some words have one inside. */
const spanish = fc
  .array(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 30 })
  .filter((words) => words.filter((word) => !PLAIN.test(word.slice(1))).length >= 2)
  .map((words) => words.join(', '));

describe('a Spanish text is read in the encoding in which it was written (INPUT-04)', () => {
  test.each(ASCII_BASED)('%s is found first, and its text is the same', async (encoding) => {
    await fc.assert(
      fc.asyncProperty(spanish, async (text) => {
        const bytes = write(text, encoding);
        const found = await readingsOf(bytes);
        expect(found.encoding).toBe(encoding);
        expect(found.choices[0]?.encoding ?? encoding).toBe(encoding);
        expect(await readAs(bytes, encoding)).toBe(text);
      }),
    );
  });

  test.each(['utf-16le', 'utf-16be'] as const)('%s is found with and without a mark', async (order) => {
    await fc.assert(
      fc.asyncProperty(spanish, fc.boolean(), async (text, isMarked) => {
        const little = Buffer.from(`${isMarked ? '\ufeff' : ''}${text}`, 'utf16le');
        const bytes = order === 'utf-16le' ? little : little.swap16();
        expect(utf16Of(bytes)).toBe(order);
        expect(await readAs(bytes, order)).toBe(text);
      }),
    );
  });

  test('a text that is usual in UTF-8 or Windows-1252 leaves no choice, any other lists all', async () => {
    const text = 'José Núñez, Teléfono';
    for (const encoding of ['UTF-8', 'Windows-1252'] as const)
      expect(await readingsOf(write(text, encoding))).toEqual({ encoding, lossless: encoding, choices: [] });
    for (const encoding of ['Mac Roman', 'CP850'] as const) {
      const { choices } = await readingsOf(write(text, encoding));
      expect(choices.map((choice) => choice.encoding).toSorted()).toEqual([...ASCII_BASED].toSorted());
      expect(choices[0]).toEqual({ encoding, sample: 'José, Núñez, Teléfono' });
    }
  });
});

test.each(
  ASCII_BASED.flatMap((from) => ASCII_BASED.map((to) => [from, to] as const)).filter(
    ([from]) => from !== 'UTF-8',
  ),
)('a text decoded as %s reads as %s as its bytes would (INPUT-04)', async (from, to) => {
  const again = await rereading(from, to);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 50 }), async (some) => {
      const bytes = Buffer.from(some);
      const decoded = await readAs(bytes, from);
      // A byte order mark is no part of a text that is read as a whole.
      if (to === 'UTF-8' && bytes.subarray(0, 3).toString('hex') === 'efbbbf') return;
      expect(again(decoded)).toBe(await readAs(bytes, to));
    }),
  );
});

test('UTF-8 that was read as such reads in other encodings as its bytes would (INPUT-04)', async () => {
  const again = await rereading('UTF-8', 'Windows-1252');
  expect(again('Nuñez')).toBe('NuÃ±ez');
});

test.each([
  ['“Hola” — 2020–2021, D’Angelo', 'Windows-1252'],
  ['Nº 5, 1º y 2ª, 25°C, € 20, ½ litro', 'Windows-1252'],
  ['Müller, François, João Gonçalves, Böhm, Zoë', 'Windows-1252'],
  ['Piñata® Coca-Cola™ «cita» 5 × 3', 'Windows-1252'],
  ['“Hola” — Norte–Sur, D’Angelo, Žižek, Иванов, 北京, José 😀, 25°C, N.º 5', 'UTF-8'],
] as const)('%j in %s is in no doubt (INPUT-04)', async (text, encoding) => {
  expect(await readingsOf(write(text, encoding))).toEqual({ encoding, lossless: encoding, choices: [] });
});

test.each([
  ['NuÃ±ez', 'letters of UTF-8 read byte by byte'],
  ['Nu¤ez', 'a sign inside a word'],
  ['Nu\ufffdez', 'a letter that was lost'],
  ['Garc–a', 'a dash inside a word'],
])('%j, %s, is asked about, and UTF-8 stays the first (INPUT-04)', async (text) => {
  const { encoding, choices } = await readingsOf(Buffer.from(text));
  expect([encoding, choices[0]]).toEqual(['UTF-8', { encoding: 'UTF-8', sample: text }]);
  expect(choices).toHaveLength(4);
});

test('where two encodings read a text equally well, both are offered (INPUT-04)', async () => {
  const { choices } = await readingsOf(write('Última', 'CP850'));
  expect(choices.map(({ encoding }) => encoding)).toEqual(expect.arrayContaining(['CP850', 'Windows-1252']));
});
