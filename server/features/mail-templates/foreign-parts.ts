import type { MailKind, TemplateWarnings } from '../../../contract/mail/mails.ts';
import type { Scope } from '../../scope.ts';
import type { TemplateTexts } from './default-templates.ts';
import { type MailStyle, readInstructions } from './mail-templates.queries.ts';
import { type Fields, isWhole, variablesOf } from './mail-variables.ts';
import { PLAIN_FRAME, renderTexts } from './render-mail.ts';

/**
 * Finds in a template what could send clients, or their money, elsewhere: the number of an account that is not in the
 * instructions for payments, and an address whose host is not the vendor's (decision 113). A warning, no error: vendors
 * link to their own pages elsewhere too.
 */

type Owner = { hosts: readonly string[]; numbers: ReadonlySet<string> };
type Found = { what: string; at: number; message: string };

/** Digits with what people write between them. */
const NUMBER = /[\d \u00a0._\p{Pd}]+/gu;
/** A CLABE has 18 digits, a CBU 22. Longer numbers count too: a digit more would hide them. */
const DIGITS_MIN = 18;
const HOSTS = [
  /(?:https?:)?\/\/(?:[^\s/?#@[\]()]*@)?([^\s/?#:@[\](){}"'<>|*`]+)/giu,
  /@((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})/giu,
  // Mail programs make links of these too.
  /(?<![\p{L}\p{N}@/.-])(www\.(?:[\p{L}\p{N}-]+\.)*\p{L}{2,})/giu,
  /(?<![\p{L}\p{N}@/.:-])((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?=[/:]\S)/giu,
];
const MOST = 10;

/** A text in which digits of other forms and invisible characters hide nothing. */
const folded = (text: string) => text.normalize('NFKC').replace(/\p{Cf}/gu, '');

const numbersIn = (text: string): { what: string; at: number }[] =>
  [...text.matchAll(NUMBER)]
    .map(({ 0: number, index }) => ({ what: number.replace(/\D/g, ''), at: index }))
    .filter(({ what }) => what.length >= DIGITS_MIN);

function hostsIn(text: string): { what: string; at: number }[] {
  const found = HOSTS.flatMap((pattern) => [...text.matchAll(pattern)]);
  return found.map(({ 1: host, index }) => ({ what: hostOf(host!), at: index }));
}

/** A host as browsers read it. */
function hostOf(written: string): string {
  const address = `https://${written}/`;
  const host = URL.canParse(address) ? new URL(address).hostname : written;
  return host
    .toLowerCase()
    .split('.')
    .filter((part) => part !== '')
    .join('.');
}

/** The vendor's hosts and account numbers: those of the server's addresses and of the settings. */
async function ownerOf(
  { tx, publicUrl, clientUrl, mailFrom }: Pick<Scope, 'tx' | 'publicUrl' | 'clientUrl' | 'mailFrom'>,
  { support_email, reply_to }: MailStyle['settings'],
): Promise<Owner> {
  const instructions = folded(await readInstructions(tx));
  const written = [publicUrl, clientUrl, mailFrom, support_email, reply_to, instructions].join('\n');
  return {
    hosts: hostsIn(written).map(({ what }) => what),
    numbers: new Set(numbersIn(instructions).map(({ what }) => what)),
  };
}

const isOwn = (host: string, { hosts }: Owner) =>
  hosts.some((own) => host === own || host.endsWith(`.${own}`));

function foreignIn(text: string, owner: Owner): Found[] {
  const numbers = numbersIn(text)
    .filter(({ what }) => !owner.numbers.has(what))
    .map((found) => ({
      ...found,
      message: `el número ${found.what} no está en tus instrucciones de pago: si es una cuenta, revisa que sea tuya`,
    }));
  const hosts = hostsIn(text)
    .filter(({ what }) => !isOwn(what, owner))
    .map((found) => ({ ...found, message: `«${found.what}» no es una dirección de tu configuración` }));
  return [...numbers, ...hosts];
}

/**
 * Values without addresses and numbers, so that only what the template itself says is found in the rendered text.
 * @param own an address of the vendor
 */
function plainValues(fields: Fields, own: string): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, field]) => {
    if (field.is === 'group') return [name, plainValues(field.fields, own)];
    if (field.is === 'list') return [name, [plainValues(field.fields, own)]];
    if (field.is === 'key') return [name, { license: 0, key: 'x' }];
    if (field.is === 'number') return [name, 1];
    if (field.is === 'flag') return [name, field.least];
    return [name, isWhole(field) && field.is !== 'words' && field.is !== 'code' ? own : 'x'];
  });
  return Object.fromEntries(entries);
}

/**
 * The warnings about a template that can be rendered: what its texts say in any branch, each with its line, and what
 * only filters or the markup put together.
 * @returns undefined if there are none
 */
export async function foreignParts(
  scope: Pick<Scope, 'tx' | 'publicUrl' | 'clientUrl' | 'mailFrom'>,
  kind: MailKind,
  texts: TemplateTexts,
  settings: MailStyle['settings'],
): Promise<TemplateWarnings | undefined> {
  const owner = await ownerOf(scope, settings);
  const fields = variablesOf(kind);
  const values = plainValues(fields, `${scope.clientUrl}/`);
  const rendered = await renderTexts(texts, values, { fields, frame: PLAIN_FRAME });
  const warnings: TemplateWarnings = {};
  for (const [name, result] of [
    ['subject', rendered.subject],
    ['body', rendered.text],
  ] as const) {
    const written = folded(texts[name]);
    const messages = new Map<string, string>();
    for (const { what, at, message } of foreignIn(written, owner)) {
      if (!messages.has(what))
        messages.set(what, `línea ${written.slice(0, at).split('\n').length}: ${message}`);
    }
    for (const { what, message } of foreignIn(folded(result), owner)) {
      if (!messages.has(what)) messages.set(what, message);
    }
    if (messages.size > 0) warnings[name] = [...messages.values()].slice(0, MOST);
  }
  return warnings.subject || warnings.body ? warnings : undefined;
}
