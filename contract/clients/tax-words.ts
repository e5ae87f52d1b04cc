import { CFDI_USES, TAX_CONDITIONS, TAX_REGIMES } from './tax-catalogues.ts';

/** Each code of a catalogue with its name, for example '616 – Sin obligaciones fiscales'. */
const named = (catalogue: Record<string, { name: string }>): Record<string, string> =>
  Object.fromEntries(Object.entries(catalogue).map(([code, { name }]) => [code, `${code} – ${name}`]));

/** The codes of a client's tax fields, with their names. */
export const TAX_WORDS: Record<
  'tax_regime' | 'cfdi_use' | 'tax_condition',
  Readonly<Record<string, string>>
> = {
  tax_regime: named(TAX_REGIMES),
  cfdi_use: named(CFDI_USES),
  tax_condition: TAX_CONDITIONS,
};
