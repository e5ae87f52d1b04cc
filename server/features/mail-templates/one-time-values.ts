import { createToken } from '../../lib/secret.ts';
import type { Block, Inline } from './mail-markup.ts';
import { type Fields, isOneTime, type OneTimeForm } from './mail-variables.ts';

/**
 * Protects links and codes in mails that give access. A template never gets such a value: it gets a placeholder.
 * After the markup was read, the real value replaces the placeholder, but only where the placeholder is the whole
 * address of a link. Whatever a template does with it (a filter, a comparison, another host's address) changes only
 * the placeholder, and such a text is refused.
 */
type Hidden = {
  variables: Record<string, unknown>;
  /**
   * Replaces the placeholders by their values.
   * @throws MisusedLink if a placeholder is anywhere else
   */
  reveal: (rendered: { subject: string; blocks: Block[] }) => { subject: string; blocks: Block[] };
};

/** A template uses a one-time value like an ordinary variable. */
export class MisusedLink extends Error {
  override name = 'MisusedLink';
  readonly variable: string;

  constructor(variable: string, form: OneTimeForm) {
    super(MISUSED[form](variable));
    this.variable = variable;
  }
}

/** A template may cut a placeholder: this many of its characters are enough to recognize it. */
const TRACE = 12;

/**
 * Replaces the values that give access by placeholders.
 * @param fields the description of the kind's variables
 */
export function hideOneTime(fields: Fields, variables: Record<string, unknown>): Hidden {
  const links = new Map<string, string>();
  const codes = new Map<string, string>();
  const traces: { name: string; is: OneTimeForm; trace: string }[] = [];
  const hidden = Object.entries(variables).map(([name, value]) => {
    const field = fields[name];
    if (field === undefined || !isOneTime(field) || typeof value !== 'string') return [name, value];
    // Only letters and digits, which have no meaning in the markup.
    const mark = createToken()
      .replace(/[^A-Za-z0-9]/g, '')
      .toLowerCase();
    // No host can have such a name (RFC 2606), so a placeholder sent by mistake would lead nowhere.
    const standIn = field.is === 'link' ? `https://${mark}.invalid/` : mark;
    (field.is === 'link' ? links : codes).set(standIn, value);
    traces.push({ name, is: field.is, trace: mark.slice(0, TRACE) });
    return [name, standIn];
  });
  const withCodes = (text: string) =>
    [...codes].reduce((known, [standIn, value]) => known.replaceAll(standIn, value), text);
  const inline = (part: Inline): Inline => {
    const text = withCodes(part.text);
    return part.is === 'link' ? { ...part, text, url: links.get(part.url) ?? part.url } : { ...part, text };
  };
  return {
    variables: Object.fromEntries(hidden),
    reveal: ({ subject, blocks }) => {
      if (links.size + codes.size === 0) return { subject, blocks };
      const revealed = {
        subject: withCodes(subject),
        blocks: blocks.map((block) => mapBlock(block, inline, links)),
      };
      const left = JSON.stringify(revealed).toLowerCase();
      for (const { name, is, trace } of traces) {
        if (left.includes(trace)) throw new MisusedLink(name, is);
      }
      return revealed;
    },
  };
}

export const MISUSED: Record<OneTimeForm, (name: string) => string> = {
  link: (name: string) =>
    `«${name}» es de un solo uso: escríbelo entero y solo como la dirección de un enlace, [texto]({{ ${name} }})`,
  code: (name: string) => `«${name}» es de un solo uso: escríbelo entero, sin filtros ni condiciones`,
};

function mapBlock(block: Block, inline: (part: Inline) => Inline, links: ReadonlyMap<string, string>): Block {
  if (block.is === 'heading') return { ...block, content: block.content.map(inline) };
  if (block.is === 'paragraph') return { ...block, lines: block.lines.map((line) => line.map(inline)) };
  if (block.is === 'list') return { ...block, items: block.items.map((item) => item.map(inline)) };
  if (block.is === 'button') {
    const { text } = inline({ is: 'text', text: block.text });
    return { ...block, text, url: links.get(block.url) ?? block.url };
  }
  const rows = block.rows.map(({ label, value }) => ({ label: label.map(inline), value: value.map(inline) }));
  return { ...block, rows };
}
