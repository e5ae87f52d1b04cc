import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { requiredLine } from '../base/text.ts';

/**
 * Reads mail addresses (INPUT-14, docs/decisions/127-mail-addresses.md). The one reader of them. An address is stored
 * and compared with the ASCII form of its domain ('ana@xn--pea-8ma.mx'), which every mail server understands, and shown
 * as people write it ('ana@peña.mx').
 */

export const EMAIL_INVALID = 'El email no es válido';
export const EMAIL_LOCAL = 'Antes de la arroba, el email lleva letras sin acentos ni ñ, números y signos';

/** The most characters of an address, its domain in ASCII. */
export const EMAIL_MAX = 254;

const form = z.email();

/** What is not ASCII. */
const BEYOND_ASCII = /[^\u0021-\u007e]/;
/** A domain of letters of any script, digits, hyphens and dots. Other signs would mean something else in a URL. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** The ASCII form of a domain; null for one that has none. One that is ASCII stays as it is. */
function asciiDomain(domain: string): string | null {
  if (!BEYOND_ASCII.test(domain)) return domain;
  const url = `http://${domain}`;
  return DOMAIN.test(domain) && URL.canParse(url) ? new URL(url).hostname : null;
}

/** Local part and domain; undefined without an @. */
function partsOf(text: string): { local: string; domain: string } | undefined {
  const at = text.lastIndexOf('@');
  return at < 0 ? undefined : { local: text.slice(0, at), domain: text.slice(at + 1) };
}

/** A top-level domain of another script has digits in its ASCII form, which the usual form of an address lacks. */
const FOREIGN_ENDING = /\.xn--[a-z\d-]+$/i;

/**
 * Reads a mail address: one mailbox, no spaces, a domain with a dot.
 * @returns the address with its domain in ASCII, else as typed; null for a text that is no address
 */
export function readMailAddress(text: string): string | null {
  const parts = partsOf(text.trim());
  const domain = parts && asciiDomain(parts.domain);
  if (!parts || domain === null || domain === undefined) return null;
  const address = `${parts.local}@${domain}`;
  const isAddress = form.safeParse(address.replace(FOREIGN_ENDING, '.com')).success;
  return isAddress && address.length <= EMAIL_MAX ? address : null;
}

export const isMailAddress = (text: string): boolean => readMailAddress(text) !== null;

/** The form in which addresses are compared: domain in ASCII, lower case. A text that is no address in lower case. */
export const mailKey = (text: string): string => (readMailAddress(text) ?? text.trim()).toLowerCase();

/** The mailbox of an address: `ana+caja@x.mx` and `ana@x.mx` are one (INPUT-19). */
export const mailboxKey = (text: string): string => mailKey(text).replace(/^([^+@]+)\+[^@]*@/, '$1@');

/** The message about a text that is no address. */
function fault(text: string): string {
  const parts = partsOf(text);
  const isLocal = parts !== undefined && BEYOND_ASCII.test(parts.local) && !/\s/.test(parts.local);
  return isLocal && isMailAddress(`a@${parts.domain}`) ? EMAIL_LOCAL : EMAIL_INVALID;
}

/** An address that must be given, or an empty text where the rule before allows one. It becomes its ASCII form. */
const readable = (line: z.ZodType<string, string>) =>
  line
    .superRefine((text, { addIssue }) => {
      if (text !== '' && !isMailAddress(text))
        addIssue({ code: 'custom', ...coded('invalid', fault(text)), input: text });
    })
    .transform((text) => readMailAddress(text) ?? text);

/** @param missing the message for an absent and a blank address */
export const requiredMailAddress = (missing: string) => readable(requiredLine(EMAIL_MAX, missing));

/** @param line a rule whose blank text means no address */
export const optionalMailAddress = readable;

/** Letters of Latin script, with or without accents, digits and hyphens: a label that is shown as people write it. */
const SHOWN_LABEL = /^[\p{Script=Latin}\p{M}\d-]+$/u;

/**
 * The address as people write it: 'ana@peña.mx' for 'ana@xn--pea-8ma.mx'. A domain in another script stays in ASCII,
 * because its letters can look like Latin ones.
 */
export function shownMailAddress(address: string): string {
  if (!/xn--/i.test(address)) return address;
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + address.slice(at).split('.').map(shownLabel).join('.');
}

/** The address as people write it, where that differs; else nothing. For answers. */
export function mailShown(address: string): { email_shown?: string } {
  const email_shown = shownMailAddress(address);
  return email_shown === address ? {} : { email_shown };
}

function shownLabel(label: string): string {
  if (!/^xn--/i.test(label)) return label;
  const shown = fromPunycode(label.slice(4).toLowerCase());
  const isSame = shown !== null && SHOWN_LABEL.test(shown) && asciiDomain(shown) === label.toLowerCase();
  return isSame ? shown : label;
}

/** RFC 3492, 5: the parameters of Punycode. */
const [BASE, T_MIN, T_MAX, SKEW, DAMP, BIAS, FIRST] = [36, 1, 26, 38, 700, 72, 128];

/** Decodes a label of Punycode (RFC 3492, 6.2); null for one that is none. */
function fromPunycode(text: string): string | null {
  const end = Math.max(text.lastIndexOf('-'), 0);
  const letters = [...text.slice(0, end)];
  let [code, place, bias] = [FIRST, 0, BIAS];
  for (let at = end > 0 ? end + 1 : 0; at < text.length; ) {
    const before = place;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = Number.parseInt(text[at++] ?? '', BASE);
      if (Number.isNaN(digit)) return null;
      // Punycode counts letters from 0 and digits from 26, the base 36 of parseInt digits from 0.
      const value = digit < 10 ? digit + 26 : digit - 10;
      place += value * weight;
      if (place > 0x7f_ff_ff_ff) return null;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (value < threshold) break;
      weight *= BASE - threshold;
    }
    const count = letters.length + 1;
    bias = adapted(place - before, count, before === 0);
    code += Math.floor(place / count);
    place %= count;
    if (code > 0x10_ff_ff) return null;
    letters.splice(place++, 0, String.fromCodePoint(code));
  }
  return letters.join('');
}

/** RFC 3492, 6.1. */
function adapted(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / count);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
