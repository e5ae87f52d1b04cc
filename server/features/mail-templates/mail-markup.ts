import { unshielded, withoutMarks } from './template-engine.ts';

/**
 * Reads the markup of templates: lines of text in which a few characters have a meaning. While it is read, the
 * characters of values are replaced (see `shielded`), so that nothing in a client's name becomes markup.
 *
 * # Título
 * | Etiqueta | valor
 * - punto de una lista
 * Un párrafo con **negrita**, `clave` y [texto](https://enlace)
 * [Un enlace solo en su párrafo es un botón](https://enlace)
 */

/** Texts keep the marks around printed values, of which the HTML part makes <bdi>. */
export type Inline =
  | { is: 'text' | 'bold' | 'code'; text: string }
  | { is: 'link'; text: string; url: string };

export type Block =
  | { is: 'heading'; content: Inline[] }
  | { is: 'paragraph'; lines: Inline[][] }
  | { is: 'button'; text: string; url: string }
  | { is: 'facts'; rows: { label: Inline[]; value: Inline[] }[] }
  | { is: 'list'; items: Inline[][] };

const INLINE = /\*\*([^*\n]+)\*\*|`([^`\n]+)`|\[([^[\]\n]+)\]\(([^()\s]+)\)/g;

/** Reads a rendered template. */
export function readMarkup(text: string): Block[] {
  const blocks: Block[] = [];
  let paragraph: Inline[][] | null = null;
  for (const line of text.split('\n').map((whole) => whole.trim())) {
    const block = readLine(line);
    if (block === null || block.is !== 'text') paragraph = null;
    if (block === null) continue;
    const last = blocks.at(-1);
    if (block.is === 'text') {
      if (paragraph) paragraph.push(block.content);
      else {
        paragraph = [block.content];
        blocks.push({ is: 'paragraph', lines: paragraph });
      }
    }
    // A false condition leaves an empty line; this must not split a table or a list.
    else if (block.is === 'facts' && last?.is === 'facts') last.rows.push(...block.rows);
    else if (block.is === 'list' && last?.is === 'list') last.items.push(...block.items);
    else blocks.push(block);
  }
  return blocks.map(asButton);
}

type Line = Exclude<Block, { is: 'paragraph' | 'button' }> | { is: 'text'; content: Inline[] };

function readLine(line: string): Line | null {
  if (line === '') return null;
  if (line.startsWith('# ')) return { is: 'heading', content: readInline(line.slice(2).trim()) };
  if (line.startsWith('- ')) return { is: 'list', items: [readInline(line.slice(2).trim())] };
  if (line.startsWith('|')) {
    const [label = '', ...value] = line.slice(1).replace(/\|$/, '').split('|');
    const row = { label: readInline(label.trim()), value: readInline(value.join('|').trim()) };
    return { is: 'facts', rows: [row] };
  }
  return { is: 'text', content: readInline(line) };
}

function readInline(text: string): Inline[] {
  const found: Inline[] = [];
  let end = 0;
  const plain = (upTo: number) => {
    if (upTo > end) found.push({ is: 'text', text: unshielded(text.slice(end, upTo)) });
  };
  for (const match of text.matchAll(INLINE)) {
    const [whole, bold, code, label = '', address = ''] = match;
    plain(match.index);
    end = match.index + whole.length;
    if (bold !== undefined) found.push({ is: 'bold', text: unshielded(bold) });
    else if (code !== undefined) found.push({ is: 'code', text: withoutMarks(unshielded(code)) });
    else found.push(linkOf(unshielded(label), withoutMarks(unshielded(address))));
  }
  plain(text.length);
  return found;
}

/** Only http(s) and mailto addresses become links; of any other link only the text remains. */
function linkOf(text: string, url: string): Inline {
  const isSafe = /^(https?:\/\/|mailto:)/i.test(url) && URL.canParse(url);
  return isSafe ? { is: 'link', text, url } : { is: 'text', text };
}

function asButton(block: Block): Block {
  if (block.is !== 'paragraph' || block.lines.length > 1) return block;
  const [only, more] = block.lines[0]!;
  return only?.is === 'link' && more === undefined ? { is: 'button', text: only.text, url: only.url } : block;
}

const textOf = (content: Inline[]): string =>
  content
    .map((part) => {
      const text = withoutMarks(part.text);
      return part.is === 'link' && text !== part.url ? `${text}: ${part.url}` : text;
    })
    .join('');

/** The text part of a mail. */
export function toText(blocks: Block[]): string {
  const texts = blocks.map((block) => {
    if (block.is === 'heading') return textOf(block.content);
    if (block.is === 'paragraph') return block.lines.map(textOf).join('\n');
    if (block.is === 'button') return `${withoutMarks(block.text)}: ${block.url}`;
    if (block.is === 'list') return block.items.map((item) => `- ${textOf(item)}`).join('\n');
    return block.rows.map(({ label, value }) => `${textOf(label)}: ${textOf(value)}`).join('\n');
  });
  return texts.join('\n\n');
}
