import { parseXml, type XmlEvents } from './read-xml.ts';
import { brokenWorkbook, tooLarge } from './unreadable-workbook.ts';
import { fromXml } from './xml-text.ts';

/** Texts stand in blocks of so many bytes. */
const BLOCK = 1024 * 1024;
const BLOCK_BITS = 20;
/** The most bytes of all texts, and the most texts: more than 100,000 rows of any file that a person makes. */
const BLOCKS_MAX = 96;
const TEXTS_MAX = 10_000_000;

/**
 * The texts of a workbook that its cells name by number. They are kept as bytes, because a million texts of JavaScript
 * would need three times the memory.
 */
export class SharedStrings {
  readonly #blocks: Buffer[] = [];
  /** The end of the last text in the last block. */
  #end = BLOCK;
  /** Where each text begins: the block in the upper bits, the place in it in the lower ones. */
  #starts = new Uint32Array(1024);
  #count = 0;

  add(text: string): void {
    const bytes = Buffer.from(text);
    const size = bytes.length + 4;
    if (size > BLOCK || this.#count === TEXTS_MAX) throw tooLarge();
    if (this.#end + size > BLOCK) {
      if (this.#blocks.length === BLOCKS_MAX) throw tooLarge();
      this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK));
      this.#end = 0;
    }
    if (this.#count === this.#starts.length) {
      const longer = new Uint32Array(2 * this.#count);
      longer.set(this.#starts);
      this.#starts = longer;
    }
    const block = this.#blocks.at(-1)!;
    block.writeUInt32LE(bytes.length, this.#end);
    bytes.copy(block, this.#end + 4);
    this.#starts[this.#count] = ((this.#blocks.length - 1) << BLOCK_BITS) | this.#end;
    this.#end += size;
    this.#count += 1;
  }

  /** @throws UnreadableWorkbook if there is no such text */
  at(index: number): string {
    if (!(Number.isInteger(index) && index >= 0 && index < this.#count)) throw brokenWorkbook();
    const start = this.#starts[index]!;
    const block = this.#blocks[start >>> BLOCK_BITS]!;
    const from = (start & (BLOCK - 1)) + 4;
    return block.toString('utf8', from, from + block.readUInt32LE(from - 4));
  }
}

/**
 * Collects a text that stands in parts with formats of their own (`r`), without the reading aids of Japanese (`rPh`).
 * @param longest a longer text is cut one character behind this length, so that it is seen that it was longer
 */
export class RichText {
  readonly #longest: number;
  #text = '';
  #isText = false;
  #aids = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  open(name: string): void {
    if (name === 'rPh') this.#aids += 1;
    this.#isText = name === 't' && this.#aids === 0;
  }

  close(name: string): void {
    if (name === 'rPh') this.#aids -= 1;
    this.#isText = false;
  }

  add(text: string): void {
    if (this.#isText && this.#text.length <= this.#longest)
      this.#text = (this.#text + text).slice(0, 7 * (this.#longest + 1));
  }

  /** The text since the last call. */
  take(): string {
    const text = fromXml(this.#text).slice(0, this.#longest + 1);
    this.#text = '';
    return text;
  }
}

/**
 * Reads the texts of a workbook.
 * @param longest the most characters of a cell; of a longer text one character more is kept
 * @throws UnreadableWorkbook
 */
export async function readSharedStrings(
  bytes: AsyncIterable<Buffer>,
  longest: number,
): Promise<SharedStrings> {
  const strings = new SharedStrings();
  const rich = new RichText(longest);
  const events: XmlEvents = {
    open: (name) => rich.open(name),
    text: (text) => rich.add(text),
    close: (name) => {
      rich.close(name);
      if (name === 'si') strings.add(rich.take());
    },
  };
  await parseXml(bytes, events);
  return strings;
}
