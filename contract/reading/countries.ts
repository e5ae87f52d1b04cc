import { normalizeForSearch } from '../base/text.ts';

/**
 * Reads the country of a client, which is free text: a name in Spanish, English or Portuguese, or an ISO 3166 code
 * (INPUT-02, INPUT-20). The one reader of countries; a country is its code of two letters everywhere else.
 */

/** Codes of three letters, and names that Intl does not know. */
const ALIASES: Readonly<Record<string, string>> = {
  MX: 'mex,mejico,estados unidos mexicanos,republica mexicana',
  AR: 'arg,republica argentina',
  CL: 'chl,republica de chile',
  CO: 'col,republica de colombia',
  PE: 'per,republica del peru',
  BR: 'bra,republica federativa do brasil,republica federativa del brasil',
  UY: 'ury,republica oriental del uruguay',
  PY: 'pry,republica del paraguay',
  BO: 'bol,estado plurinacional de bolivia',
  EC: 'ecu,republica del ecuador',
  VE: 'ven,republica bolivariana de venezuela',
  GT: 'gtm',
  HN: 'hnd',
  SV: 'slv',
  NI: 'nic',
  CR: 'cri',
  PA: 'pan',
  CU: 'cub',
  DO: 'dom,rep dominicana',
  PR: 'pri',
  ES: 'esp',
  PT: 'prt',
  US: 'usa,eua,eeuu,ee uu,estados unidos de america,estados unidos de norteamerica,united states of america',
  CA: 'can',
  GB: 'gbr,uk,gran bretaña,inglaterra,great britain,england',
  DE: 'deu',
  FR: 'fra',
  IT: 'ita',
  NL: 'nld,holanda,holland',
  CH: 'che',
  CN: 'chn',
  JP: 'jpn',
};

/** Names are read in these languages; the first is that of the console. */
const LANGUAGES = ['es', 'en', 'pt'] as const;

/** The form in which names are compared: case, accents, dots and repeated spaces are ignored. */
const keyOf = (text: string) => normalizeForSearch(text.replaceAll('.', ''));

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The codes of countries. Intl has no list of them; it gives another code's name for those that were withdrawn. */
function countryCodes(): string[] {
  const names = new Intl.DisplayNames('es', { type: 'region', fallback: 'none' });
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) => names.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code,
  );
}

let known: ReadonlyMap<string, string> | undefined;

/** The code for each name. Made at the first use, because it takes some milliseconds. */
function codesByName(): ReadonlyMap<string, string> {
  if (known) return known;
  const codes = countryCodes();
  const found = new Map<string, string>();
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    for (const code of codes) found.set(keyOf(names.of(code) ?? code), code);
  }
  for (const [code, aliases] of Object.entries(ALIASES))
    for (const alias of aliases.split(',')) found.set(keyOf(alias), code);
  for (const code of codes) found.set(keyOf(code), code);
  known = found;
  return known;
}

/**
 * The country that a free text names, ignoring case, accents and dots.
 * @returns its ISO 3166 code of two letters; null for a text that names no country
 */
export const countryCode = (text: string): string | null => codesByName().get(keyOf(text)) ?? null;

let spanish: Intl.DisplayNames | undefined;

/** The Spanish name of a country by its code of two letters. */
export function countryName(code: string): string {
  // Kept, because making one takes longer than reading a phone.
  spanish ??= new Intl.DisplayNames('es', { type: 'region' });
  return spanish.of(code) ?? code;
}
