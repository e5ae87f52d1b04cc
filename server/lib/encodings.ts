import { isAscii, isUtf8 } from 'node:buffer';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { isBroken, spanishness } from './broken-text.ts';

/**
 * In which encoding the bytes of a text are written (INPUT-04). Single-byte encodings all read any bytes, so they are
 * told apart by the letters that come out: a Spanish word has no – or ¤ inside.
 */

/** Encodings in which a byte below 128 is that character of ASCII, the most frequent first. */
export const ASCII_BASED = ['UTF-8', 'Windows-1252', 'Mac Roman', 'CP850'] as const;
export type AsciiBased = (typeof ASCII_BASED)[number];

/** Decodes whole characters. */
type Decode = (bytes: Buffer) => string;

/** The number of bytes that are decoded at a time. */
const PIECE = 16 * 1024;

const WHATWG: Partial<Record<AsciiBased, string>> = {
  'UTF-8': 'utf-8',
  'Windows-1252': 'windows-1252',
  'Mac Roman': 'macintosh',
};

/** The decoder of an encoding. That of MS-DOS is not in Node; its package is loaded at first use. */
async function decoderOf(encoding: AsciiBased): Promise<Decode> {
  const label = WHATWG[encoding];
  if (label !== undefined) {
    const decoder = new TextDecoder(label, { ignoreBOM: true });
    return (bytes) => decoder.decode(bytes);
  }
  const { default: iconv } = await import('iconv-lite');
  return (bytes) => iconv.decode(bytes, 'cp850');
}

/** The bytes of a text. In each of these single-byte encodings all 256 bytes are different characters. */
async function encoderOf(encoding: AsciiBased): Promise<(text: string) => Buffer> {
  if (encoding === 'UTF-8') return (text) => Buffer.from(text);
  const decode = await decoderOf(encoding);
  const characters = [...decode(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)))];
  const bytes = new Map(characters.map((character, byte) => [character, byte]));
  return (text) => Buffer.from(Array.from(text, (character) => bytes.get(character) ?? 0x3f));
}

const BEYOND_ASCII = /\P{ASCII}/u;

/**
 * Reads again a text that was decoded from one encoding, as if its bytes were of another. That gives the same as
 * decoding the bytes, if those were valid in the first.
 */
export async function rereading(from: AsciiBased, to: AsciiBased): Promise<(text: string) => string> {
  if (from === to) return (text) => text;
  const [encode, decode] = [await encoderOf(from), await decoderOf(to)];
  return (text) => (BEYOND_ASCII.test(text) ? decode(encode(text)) : text);
}

/** The text of bytes, in small pieces. A byte order mark is not part of it. */
export async function textOf(
  bytes: Buffer,
  encoding: AsciiBased | 'utf-16le' | 'utf-16be',
): Promise<Iterable<string>> {
  if (encoding === 'CP850') {
    const decode = await decoderOf(encoding);
    return pieces(bytes, (piece) => decode(piece));
  }
  const label = encoding.startsWith('utf-16') ? encoding : WHATWG[encoding as AsciiBased];
  const decoder = new TextDecoder(label);
  return pieces(bytes, (piece, isLast) => decoder.decode(piece, { stream: !isLast }));
}

function* pieces(bytes: Buffer, decode: (piece: Buffer, isLast: boolean) => string): Generator<string> {
  for (let start = 0; start < bytes.length; start += PIECE)
    yield decode(bytes.subarray(start, start + PIECE), start + PIECE >= bytes.length);
}

const PROBED_BYTES = 64 * 1024;
/** The share of the bytes of one half that are 0 in UTF-16 text of Latin letters. */
const ZEROS = 0.3;

/** The byte order of UTF-16: by its mark, or by the zeros beside Latin letters; null for other bytes. */
export function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, PROBED_BYTES);
  let [even, odd] = [0, 0];
  for (let at = 0; at < start.length; at += 1) {
    if (start[at] !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const enough = (start.length / 2) * ZEROS;
  if (odd > enough && even < enough / 10) return 'utf-16le';
  return even > enough && odd < enough / 10 ? 'utf-16be' : null;
}

/** The bytes in one encoding. */
type Reading = { encoding: AsciiBased; words: string[]; score: number; isBroken: boolean };

/** How bytes that are not UTF-16 can be read. */
export type Readings = {
  /** The likeliest encoding. */
  encoding: AsciiBased;
  /** An encoding in which nothing of the bytes is lost, by which they can be read again: the likeliest, if it is one. */
  lossless: AsciiBased;
  /**
   * All encodings, the likeliest first, with some words as they read in each; empty if there is no doubt, because the
   * text has no sign of a wrong one as it usually would be read.
   */
  choices: { encoding: AsciiBased; sample: string }[];
};

const SLICE = 64 * 1024;
/** So many different words decide. */
const WORDS_MAX = 2000;
/** A sample has so many words, of at least so many letters where there are such. */
const SAMPLE = { words: 6, letters: 4, longest: 40 } as const;
/** A word of a text read byte by byte. */
const WORD = /[A-Za-z0-9'\x80-\xff]+/g;
const isInWord = (byte: number) => byte >= 0x80 || /[A-Za-z0-9']/.test(String.fromCharCode(byte));

/** The different words with bytes beyond ASCII, and how often each stands there. */
async function foreignWords(bytes: Buffer): Promise<Map<string, number>> {
  const words = new Map<string, number>();
  for (let start = 0; start < bytes.length; ) {
    let end = Math.min(bytes.length, start + SLICE);
    while (end < bytes.length && end < start + 2 * SLICE && isInWord(bytes[end]!)) end += 1;
    const slice = bytes.subarray(start, end);
    for (const [word] of isAscii(slice) ? [] : slice.toString('latin1').matchAll(WORD)) {
      if (!BEYOND_ASCII.test(word)) continue;
      const count = words.get(word);
      if (count !== undefined || words.size < WORDS_MAX) words.set(word, (count ?? 0) + 1);
    }
    start = end;
    await letOthersRun();
  }
  return words;
}

/** UTF-8 has a form that other bytes have by chance in few words. */
const UTF8_BONUS = 3;

/** Finds how bytes that are not UTF-16 were written. */
export async function readingsOf(bytes: Buffer): Promise<Readings> {
  const counted = [...(await foreignWords(bytes))];
  if (counted.length === 0) return { encoding: 'UTF-8', lossless: 'UTF-8', choices: [] };
  const isValid = isUtf8(bytes);
  const readings = await Promise.all(
    ASCII_BASED.map(async (encoding): Promise<Reading> => {
      const decode = await decoderOf(encoding);
      const isUnicode = encoding === 'UTF-8';
      const words = counted.map(([word]) => decode(Buffer.from(word, 'latin1')));
      let score = isUnicode && isValid ? UTF8_BONUS * counted.length : 0;
      // A frequent word counts more, but does not decide alone.
      for (const [at, word] of words.entries())
        score += (1 + Math.log2(counted[at]![1])) * spanishness(word, isUnicode);
      return { encoding, words, score, isBroken: words.some((word) => isBroken(word, isUnicode)) };
    }),
  );
  const usual = isValid ? 'UTF-8' : 'Windows-1252';
  const ordered = readings.toSorted((one, other) => other.score - one.score);
  const [best, ...others] = ordered as [Reading, ...Reading[]];
  const isDoubtful =
    best.encoding !== usual ||
    best.isBroken ||
    others.some(({ score, isBroken: isBad }) => !isBad && score > 0 && score === best.score);
  const { encoding: likeliest } = best;
  const lossless = isValid || likeliest === 'UTF-8' ? usual : likeliest;
  if (!isDoubtful) return { encoding: likeliest, lossless, choices: [] };
  const shown = sampleOf(best.words);
  const choices = ordered.map(({ encoding, words }) => ({
    encoding,
    sample: shown.map((at) => words[at]!.slice(0, SAMPLE.longest)).join(', '),
  }));
  return { encoding: likeliest, lossless, choices };
}

/** The places of the words of a sample: those that show the difference best. */
function sampleOf(words: readonly string[]): number[] {
  const places = words.map((_word, at) => at);
  const long = places.filter((at) => words[at]!.length >= SAMPLE.letters);
  return [...new Set([...long, ...places])].slice(0, SAMPLE.words);
}
