import { type Block, type Inline, toText } from './mail-markup.ts';
import { type Described, type Fields, isWhole, type WholeForm } from './mail-variables.ts';
import { type KeyMarks, type MailedKey, markOf, randomWord } from './mailed-keys.ts';
import { Whole } from './template-engine.ts';

/**
 * Protects the values that a template may only use whole: links and codes that give access, licence keys, the vendor's
 * own addresses, and the instructions for payments (decision 113). A template never gets such a text: it gets a
 * {@link Whole}, with which it can do nothing but print it. For all but the instructions a placeholder is printed, and
 * the value takes its place after the markup was read, where that is allowed. Everything else is refused.
 */
type Hidden = {
  variables: Record<string, unknown>;
  /**
   * Replaces the placeholders by their values; the marks of licence keys stay.
   * @throws Misused if a placeholder is where its value is not allowed
   */
  reveal: (rendered: Rendered) => Rendered;
  /** The marks that a template may have printed; null if it got no licence key. */
  keys: KeyMarks | null;
};

type Rendered = { subject: string; blocks: Block[] };

/** A template uses such a value where it is not allowed. */
export class Misused extends Error {
  override name = 'Misused';
  readonly variable: string;

  constructor(variable: string, form: WholeForm) {
    super(MISUSED[form](variable));
    this.variable = variable;
  }
}

export const MISUSED: Record<WholeForm, (name: string) => string> = {
  link: (name) =>
    `«${name}» es de un solo uso: escríbelo entero y solo como la dirección de un enlace, [texto]({{ ${name} }})`,
  code: (name) => `«${name}» es de un solo uso: escríbelo entero, sin filtros ni condiciones`,
  key: (name) => `«${name}» es la clave de una licencia: escríbela entera, sin filtros ni comparaciones`,
  address: (name) =>
    `«${name}» es una dirección tuya: escríbela entera, sola o como la dirección de un enlace, [texto]({{ ${name} }}), sin filtros ni nada pegado a ella`,
  words: (name) => `«${name}» sale de la configuración: escríbelo entero, sin filtros ni comparaciones`,
};

type Placeholder = { name: string; is: Exclude<WholeForm, 'key' | 'words'>; value: string };

/**
 * Replaces the values that must stay whole by placeholders.
 * @param fields the description of the kind's variables
 */
export function hideWhole(fields: Fields, variables: Record<string, unknown>): Hidden {
  // Each word is made when it is needed: most mails need one or none.
  let word = '';
  let keyWord = '';
  const placeholders = new Map<string, Placeholder>();
  const keys = new Map<number, string>();

  const printed = (name: string, is: WholeForm, value: unknown): string => {
    if (is === 'key') {
      // The cast is safe: the values have the types of their descriptions (MailVariables).
      const { license, key } = value as MailedKey;
      keys.set(license, key);
      keyWord ||= randomWord();
      return markOf(keyWord, { license, key });
    }
    if (is === 'words') return String(value);
    // No host can have such a name (RFC 2606), so a placeholder sent by mistake would lead nowhere.
    word ||= randomWord();
    const mark = `${word}n${placeholders.size}`;
    const placeholder = is === 'code' ? `${mark}z` : `https://${mark}.invalid/`;
    placeholders.set(placeholder, { name, is, value: String(value) });
    return placeholder;
  };
  const hide = (field: Described | undefined, name: string, value: unknown): unknown => {
    if (field === undefined || value === null || value === undefined) return value;
    if (isWhole(field)) return new Whole(printed(name, field.is, value));
    // The casts are safe: as above.
    if (field.is === 'group') return hideAll(field.fields, value as Record<string, unknown>);
    if (field.is === 'list')
      return (value as Record<string, unknown>[]).map((item) => hideAll(field.fields, item));
    return value;
  };
  const hideAll = (known: Fields, values: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hide(known[name], name, value)]));

  return {
    variables: hideAll(fields, variables),
    keys: keys.size === 0 ? null : { word: keyWord, keys },
    reveal: (rendered) => {
      if (placeholders.size === 0 || !JSON.stringify(rendered).includes(word)) return rendered;
      requireAlone(rendered, placeholders);
      const revealed = inPlace(rendered, placeholders);
      const left = JSON.stringify(revealed);
      const at = left.indexOf(word);
      if (at < 0) return revealed;
      const { name, is } = [...placeholders.values()][Number.parseInt(left.slice(at + word.length + 1), 10)]!;
      throw new Misused(name, is);
    },
  };
}

/**
 * The last word of a text, up to its end. What stands before an address and has one of these signs makes it a part of
 * another, so that it would lead elsewhere: `https://x.example/?u=`.
 */
export function wordBefore(text: string): string {
  let at = text.length;
  while (at > 0 && !/\s/.test(text[at - 1]!)) at -= 1;
  return text.slice(at);
}
export const IS_ADDRESS_BEFORE = /[./?=&#%@\\]/;
/** Only signs that end a sentence may follow an address. */
export const IS_ADDRESS_AFTER = /^[)\]}>»"'’”.,;:!?…*]*[^)\]}>»"'’”.,;:!?…*\s]/;

/** @throws Misused if one of the vendor's addresses is a part of a longer word, in the text that a client reads */
function requireAlone({ subject, blocks }: Rendered, placeholders: ReadonlyMap<string, Placeholder>): void {
  const text = `${subject}\n${toText(blocks)}`;
  for (const [placeholder, { name, is }] of placeholders) {
    if (is !== 'address') continue;
    for (let at = text.indexOf(placeholder); at >= 0; at = text.indexOf(placeholder, at + 1)) {
      const before = wordBefore(text.slice(0, at));
      const after = text.slice(at + placeholder.length);
      if (IS_ADDRESS_BEFORE.test(before) || IS_ADDRESS_AFTER.test(after)) throw new Misused(name, is);
    }
  }
}

/** Puts each value in the places where its form allows it. */
function inPlace({ subject, blocks }: Rendered, placeholders: ReadonlyMap<string, Placeholder>): Rendered {
  const words = (text: string, allowed: (placeholder: string, is: WholeForm) => boolean) =>
    [...placeholders].reduce(
      (known, [placeholder, { is, value }]) =>
        is !== 'link' && allowed(placeholder, is) ? known.replaceAll(placeholder, () => value) : known,
      text,
    );
  const address = (url: string) => placeholders.get(url)?.value ?? url;
  // A link that shows an own address leads there.
  const label = (text: string, url: string) =>
    words(text, (placeholder, is) => is === 'code' || placeholder === url);
  const inline = (part: Inline): Inline =>
    part.is === 'link'
      ? { ...part, text: label(part.text, part.url), url: address(part.url) }
      : { ...part, text: words(part.text, () => true) };
  const button = (block: Button): Button => ({
    ...block,
    text: label(block.text, block.url),
    url: address(block.url),
  });
  return {
    subject: words(subject, () => true),
    blocks: blocks.map((block) => mapBlock(block, inline, button)),
  };
}

type Button = Extract<Block, { is: 'button' }>;

function mapBlock(block: Block, inline: (part: Inline) => Inline, button: (block: Button) => Button): Block {
  if (block.is === 'heading') return { ...block, content: block.content.map(inline) };
  if (block.is === 'paragraph') return { ...block, lines: block.lines.map((line) => line.map(inline)) };
  if (block.is === 'list') return { ...block, items: block.items.map((item) => item.map(inline)) };
  if (block.is === 'button') return button(block);
  const rows = block.rows.map(({ label, value }) => ({ label: label.map(inline), value: value.map(inline) }));
  return { ...block, rows };
}
