import type { Advice } from '../base/advice.ts';
import { readMailAddress, shownMailAddress } from './mail-addresses.ts';

/**
 * Finds typing errors in the domain of a mail address (INPUT-14, docs/decisions/127-mail-addresses.md). It knows the
 * common mail providers of México and Argentina, and endings that do not exist. A domain of its own is never doubted.
 */

/** A provider: the endings that it has, the one that is meant first. */
type Provider = {
  endings: readonly string[];
  /** The name is also a word or a name of others: only its ending is corrected. */
  onlyEnding?: true;
};

const list = (text: string) => text.split(' ');

const PROVIDERS: Readonly<Record<string, Provider>> = {
  gmail: { endings: ['com'] },
  hotmail: {
    endings: list(
      'com com.mx com.ar es com.br com.co com.pe com.ve cl co.uk fr it de be ca nl se no dk gr ch at pt com.tr com.au co.jp co.th',
    ),
  },
  outlook: {
    endings: list(
      'com com.mx com.ar es com.br com.co com.pe cl co.uk fr it de be ie pt dk jp at hu cz kr co.th com.tr com.gr com.au co.id co.il com.vn in lv ph sa sg sk my',
    ),
  },
  yahoo: {
    endings: list(
      'com com.mx com.ar es com.br com.co com.pe com.ve cl co.uk fr it de ca ie gr se no dk nl pl ro at be ch pt in co.in co.id co.jp co.kr co.nz co.th co.za com.au com.cn com.hk com.my com.ph com.sg com.tr com.tw com.vn',
    ),
  },
  icloud: { endings: ['com'] },
  live: { endings: list('com com.mx com.ar'), onlyEnding: true },
  msn: { endings: ['com'], onlyEnding: true },
  prodigy: { endings: list('net.mx net') },
  fibertel: { endings: ['com.ar'] },
  arnet: { endings: ['com.ar'], onlyEnding: true },
};

/** Domains of others that are one letter from a provider's. */
const OTHERS = new Set(
  list(
    'gail.com grail.com ymail.com gmall.com gmailnator.com yahoot.com incloud.com fibertec.com.ar outlooks.com',
  ),
);

/**
 * Endings that do not exist, each with the one that was meant. Endings of countries that are near one (`co`, `cm`, `om`)
 * are not here, because companies have them.
 */
const NO_ENDINGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    com: 'con cmo ocm comm coom ccom coml vom xom cpm clm con.com',
    'com.mx': 'con.mx cmo.mx ocm.mx comm.mx com.mxx com.nx com.mxn com.mx.mx commx',
    'com.ar': 'con.ar cmo.ar ocm.ar comm.ar com.arg com.arr com.sr.ar comar',
    'net.mx': 'nte.mx ent.mx nett.mx net.mxx netmx',
    net: 'nte nett',
    org: 'ogr orgg',
    'org.mx': 'ogr.mx org.mxx orgmx',
    'gob.mx': 'gov.mx gob.mxx gobmx',
    'edu.mx': 'edu.mxx edumx',
    'gob.ar': 'gob.arg gobar',
  }).flatMap(([meant, wrong]) => list(wrong).map((ending) => [ending, meant])),
);

/** The number of letters that are too many, missing, wrong, or in the wrong order: optimal string alignment. */
function distance(one: string, other: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    [before, row] = [row, next];
  }
  return row[other.length]!;
}

/**
 * True if a name is that of a provider with one slip. The first letter counts, unless it changed places: 'email' is
 * not 'gmail'.
 */
const isNear = (name: string, provider: string) =>
  (name[0] === provider[0] || (name[0] === provider[1] && name[1] === provider[0])) &&
  distance(name, provider) <= 1;

/** The nearest ending that a provider has: its own, else one with a slip; undefined if none is near. */
function endingOf(ending: string, { endings }: Provider): string | undefined {
  if (endings.includes(ending)) return ending;
  const meant = NO_ENDINGS[ending];
  if (meant !== undefined && endings.includes(meant)) return meant;
  return (
    endings.find((known) => distance(ending, known) <= 1) ?? (endings.length === 1 ? endings[0] : undefined)
  );
}

/** The domain that was probably meant; null for one that is not doubted. */
function meantDomain(domain: string): string | null {
  if (OTHERS.has(domain)) return null;
  const dot = domain.indexOf('.');
  const [name, ending] = [domain.slice(0, dot), domain.slice(dot + 1)];
  for (const [known, provider] of Object.entries(PROVIDERS)) {
    if (name !== known && (provider.onlyEnding || !isNear(name, known))) continue;
    const meant = endingOf(ending, provider);
    if (meant === undefined || (provider.onlyEnding && NO_ENDINGS[ending] === undefined && meant !== ending))
      break;
    return `${known}.${meant}`;
  }
  const wrong = Object.keys(NO_ENDINGS)
    .filter((one) => domain.endsWith(`.${one}`))
    .toSorted((one, other) => other.length - one.length)[0];
  return wrong === undefined ? null : domain.slice(0, -wrong.length) + NO_ENDINGS[wrong]!;
}

/**
 * The address that was probably meant instead of one that can be delivered nowhere, or to a stranger.
 * @returns null if the address is no address, or is not doubted
 */
export function mailSuggestion(address: string): string | null {
  const read = readMailAddress(address);
  if (read === null) return null;
  const at = read.lastIndexOf('@') + 1;
  const domain = read.slice(at).toLowerCase();
  const meant = meantDomain(domain);
  return meant === null || meant === domain ? null : read.slice(0, at) + meant;
}

/** What is said of an address that was stored: the question whether another was meant. Nothing of others. */
export function mailAdvice(address: string): Advice {
  const meant = mailSuggestion(address);
  if (meant === null) return {};
  return { warnings: { email: [`¿Es ${shownMailAddress(meant)}?`] }, suggestions: { email: meant } };
}
