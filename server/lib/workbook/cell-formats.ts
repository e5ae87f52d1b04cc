import { parseXml } from './read-xml.ts';
import { tooLarge } from './unreadable-workbook.ts';

/**
 * What a number format makes of a cell's number. `zeros` are digits that a whole number is filled up to, as in postal
 * codes.
 */
export type NumberFormat = 'number' | 'day' | 'time' | 'duration' | 'percent' | { zeros: number };

/** Excel admits 65,490 formats of cells. */
const FORMATS_MAX = 100_000;

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
/** The formats that every workbook has without a code (ECMA-376, 18.8.30); those of East Asia are days too. */
const BUILT_IN = new Map<number, NumberFormat>([
  ...[9, 10].map((id) => [id, 'percent'] as const),
  ...[...numbers(14, 17), 22, ...numbers(27, 31), 36, ...numbers(50, 54), 57, 58].map(
    (id) => [id, 'day'] as const,
  ),
  ...[...numbers(18, 21), ...numbers(32, 35), 45, 47, 55, 56].map((id) => [id, 'time'] as const),
  [46, 'duration'],
]);

/** What is shown as it is: texts in quotes, an escaped sign, a gap as wide as a sign, a repeated sign. */
const LITERAL = /"[^"]*"?|\\.|_.|\*./g;
const HALF_DAY = /am\/pm|a\/p/gi;

/** What a format code means, by its first section, which is that of positive numbers. */
function readFormat(code: string): NumberFormat {
  const [section = ''] = code.replace(LITERAL, '').split(';');
  if (/\[(?:h+|m+|s+)\]/i.test(section)) return 'duration';
  const bare = section.replace(/\[[^\][]*\]/g, '');
  if (/general/i.test(bare)) return 'number';
  const parts = bare.replace(HALF_DAY, '');
  const hasTime = parts !== bare || /[hs]/i.test(parts);
  if (/[yd]/i.test(parts) || (/m/i.test(parts) && !hasTime)) return 'day';
  if (hasTime) return 'time';
  if (parts.includes('%')) return 'percent';
  return /^0{2,}$/.test(bare.trim()) ? { zeros: bare.trim().length } : 'number';
}

/**
 * The formats of cells by their style number.
 * @throws UnreadableWorkbook
 */
export async function readFormats(bytes: AsyncIterable<Buffer>): Promise<NumberFormat[]> {
  const own = new Map<number, NumberFormat>();
  const formats: NumberFormat[] = [];
  let isCells = false;
  await parseXml(bytes, {
    open: (name, attributes) => {
      if (own.size + formats.length > FORMATS_MAX) throw tooLarge();
      if (name === 'cellXfs') isCells = true;
      else if (name === 'numFmt')
        own.set(Number(attributes.numFmtId), readFormat(attributes.formatCode ?? ''));
      else if (name === 'xf' && isCells) {
        const id = Number(attributes.numFmtId ?? 0);
        formats.push(own.get(id) ?? BUILT_IN.get(id) ?? 'number');
      }
    },
    close: (name) => {
      if (name === 'cellXfs') isCells = false;
    },
  });
  return formats;
}
