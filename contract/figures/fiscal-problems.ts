import type { Client } from '../clients/clients.ts';
import { allowsUse, CFDI_USES, TAX_REGIMES } from '../clients/tax-catalogues.ts';
import {
  compactTaxId,
  GENERIC_RFCS,
  isGenericRfc,
  taxCountry,
  taxIdFault,
  taxIdSentence,
  taxIdWarnings,
} from '../clients/tax-ids.ts';
import type { FiscalField, FiscalProblem } from './fiscal.ts';

/** The client's data that an invoice needs. */
export type Buyer = Pick<Client, FiscalField | 'country'>;

/** The regime and use that SAT requires on an invoice with a generic RFC (CFDI 4.0, guide of the receptor). */
const GENERIC = { regime: '616', use: 'S01' } as const;

/** Tax conditions of buyers who need no CUIT: final consumers, and buyers abroad. */
const WITHOUT_CUIT: readonly string[] = ['5', '8', '9'];

/**
 * Reasons why an invoice to a client would be refused, as far as they can be found without a call to a tax office: in
 * México by the rules of CFDI 4.0, in Argentina by those of ARCA. In other countries only an invalid tax id is found.
 */
export function fiscalProblems(buyer: Buyer): FiscalProblem[] {
  switch (taxCountry(buyer.country)) {
    case 'MX':
      return isGenericRfc(buyer.tax_id) ? genericProblems(buyer) : mexicanProblems(buyer);
    case 'AR':
      return argentineProblems(buyer);
    default:
      return problems('tax_id', ...taxIdWarnings(buyer.country, buyer.tax_id));
  }
}

const problems = (field: FiscalField, ...messages: string[]): FiscalProblem[] =>
  messages.map((message) => ({ field, message }));

function mexicanProblems({ tax_id, postal_code, tax_regime, cfdi_use }: Buyer): FiscalProblem[] {
  const fault = tax_id === '' ? null : taxIdFault('MX', tax_id);
  // The RFC of a company has 12 characters, that of a person 13.
  const length = compactTaxId(tax_id).length;
  const isCompany = length === 12;
  const isKnown = tax_id !== '' && fault !== 'form';
  const found: FiscalProblem[] = [];
  if (tax_id === '') found.push(...problems('tax_id', 'Falta el RFC.'));
  if (fault) found.push(...problems('tax_id', taxIdSentence('MX', fault)));
  if (!/^\d{5}$/.test(postal_code) || postal_code === '00000') {
    found.push(...problems('postal_code', 'Falta el código postal de cinco dígitos.'));
  }
  if (tax_regime === '') found.push(...problems('tax_regime', 'Falta el régimen fiscal.'));
  else if (isKnown && !TAX_REGIMES[tax_regime][isCompany ? 'company' : 'person']) {
    const [who, whose] = isCompany ? ['personas', 'una empresa'] : ['empresas', 'una persona'];
    const message = `El régimen ${tax_regime} es de ${who}, y el RFC es de ${whose}.`;
    found.push(...problems('tax_regime', message));
  }
  if (cfdi_use === '') found.push(...problems('cfdi_use', 'Falta el uso de CFDI.'));
  else if (tax_regime !== '' && !allowsUse(tax_regime, cfdi_use)) {
    found.push(...problems('cfdi_use', `El régimen ${tax_regime} no admite el uso ${cfdi_use}.`));
  }
  return found;
}

/** An invoice with a generic RFC has the postal code of the issuer, so the buyer's is not checked. */
function genericProblems({ tax_id, tax_regime, cfdi_use }: Buyer): FiscalProblem[] {
  const whom = compactTaxId(tax_id) === GENERIC_RFCS.public ? 'del público en general' : 'de extranjeros';
  const found: FiscalProblem[] = [];
  if (tax_regime !== GENERIC.regime) {
    const { name } = TAX_REGIMES[GENERIC.regime];
    found.push(...problems('tax_regime', `Con el RFC ${whom} el régimen es ${GENERIC.regime} (${name}).`));
  }
  if (cfdi_use !== GENERIC.use) {
    const { name } = CFDI_USES[GENERIC.use];
    found.push(...problems('cfdi_use', `Con el RFC ${whom} el uso de CFDI es ${GENERIC.use} (${name}).`));
  }
  return found;
}

function argentineProblems({ tax_id, tax_condition }: Buyer): FiscalProblem[] {
  const found: FiscalProblem[] = [];
  const needsCuit = !WITHOUT_CUIT.includes(tax_condition);
  // A final consumer may give a DNI instead of a CUIT.
  const fault = tax_id === '' || (!needsCuit && isDni(tax_id)) ? null : taxIdFault('AR', tax_id);
  if (tax_id === '' && needsCuit) found.push(...problems('tax_id', 'Falta el CUIT.'));
  if (fault) found.push(...problems('tax_id', taxIdSentence('AR', fault)));
  if (tax_condition === '') found.push(...problems('tax_condition', 'Falta la condición frente al IVA.'));
  return found;
}

/** True for a number of the identity document of Argentina, seven or eight digits. */
const isDni = (taxId: string) => /^\d{7,8}$/.test(compactTaxId(taxId));

/**
 * ARCA's document type: 80 CUIT, 96 DNI, 99 none. Empty for a client outside Argentina, and if the number is neither.
 */
export function documentType({
  country,
  tax_id,
}: Pick<Buyer, 'country' | 'tax_id'>): '80' | '96' | '99' | '' {
  if (taxCountry(country) !== 'AR') return '';
  if (tax_id === '') return '99';
  if (isDni(tax_id)) return '96';
  return /^\d{11}$/.test(compactTaxId(tax_id)) ? '80' : '';
}
