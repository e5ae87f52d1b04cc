import { setImmediate as letOthersRun } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { brokenWorkbook, tooLarge, UnreadableWorkbook } from './unreadable-workbook.ts';

/** What stands in a document, in order. Names are without their prefix, which each writer chooses. */
export type XmlEvents = {
  open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
};

/** Elements within elements; those of a workbook are at most a dozen deep. */
const DEPTH_MAX = 64;
/** The most characters of one text, or of one tag. A cell has at most 32,767, some of them written with six. */
const PIECE_MAX = 1024 * 1024;
/** Bytes that are parsed before other requests run; it takes a few milliseconds. */
const SLICE = 32 * 1024;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The value of an attribute with any prefix, such as `r:id`. */
export const attributeOf = (
  attributes: Readonly<Record<string, string>>,
  requested: string,
): string | undefined =>
  attributes[requested] ?? Object.entries(attributes).find(([name]) => localName(name) === requested)?.[1];

function decoderFor(start: Uint8Array): TextDecoder {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  return new TextDecoder(first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8');
}

/**
 * Parses a document in small pieces, and lets other requests run after each; it yields then, so that the caller can take
 * what the events gave. Definitions of types are refused: no spreadsheet writes them, and their entities could grow
 * without limit.
 * @throws UnreadableWorkbook
 */
export async function* readXml(bytes: AsyncIterable<Buffer>, events: XmlEvents): AsyncGenerator<void> {
  const parser = new SaxesParser({ position: false, xmlns: false });
  let depth = 0;
  /** Characters that were written since the last event: the parser holds them. */
  let buffered = 0;
  parser.on('doctype', () => {
    throw brokenWorkbook(new Error('a definition of types'));
  });
  parser.on('opentag', ({ name, attributes }) => {
    buffered = 0;
    depth += 1;
    if (depth > DEPTH_MAX) throw brokenWorkbook(new Error('elements too deep'));
    events.open?.(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    buffered = 0;
    depth -= 1;
    events.close?.(localName(name));
  });
  const text = (content: string) => {
    buffered = 0;
    events.text?.(content);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  let decoder: TextDecoder | undefined;
  const write = (piece: Uint8Array) => {
    decoder ??= decoderFor(piece);
    const decoded = decoder.decode(piece, { stream: true });
    buffered += decoded.length;
    parser.write(decoded);
    if (buffered > PIECE_MAX) throw tooLarge();
  };
  try {
    for await (const piece of bytes) {
      for (let start = 0; start < piece.length; start += SLICE) {
        write(piece.subarray(start, start + SLICE));
        await letOthersRun();
        yield;
      }
    }
    parser.close();
    yield;
  } catch (error) {
    throw error instanceof UnreadableWorkbook ? error : brokenWorkbook(error);
  }
}

/** Parses a small document whole. */
export async function parseXml(bytes: AsyncIterable<Buffer>, events: XmlEvents): Promise<void> {
  for await (const _part of readXml(bytes, events));
}
