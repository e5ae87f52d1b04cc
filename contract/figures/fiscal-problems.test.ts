import { describe, expect, test } from 'vitest';
import {
  allowsUse,
  CFDI_USE_CODES,
  TAX_CONDITION_CODES,
  TAX_REGIME_CODES,
} from '../clients/tax-catalogues.ts';
import { type Buyer, documentType, fiscalProblems } from './fiscal-problems.ts';

const MEXICAN: Buyer = {
  country: 'México',
  tax_id: 'EKU9003173C9',
  postal_code: '42501',
  tax_regime: '601',
  cfdi_use: 'G03',
  tax_condition: '',
};
const PERSON: Buyer = { ...MEXICAN, tax_id: 'CACX7605101P8', tax_regime: '612' };
const PUBLIC: Buyer = {
  ...MEXICAN,
  tax_id: 'XAXX-010101-000',
  postal_code: '00000',
  tax_regime: '616',
  cfdi_use: 'S01',
};
const ARGENTINE: Buyer = {
  country: 'argentina',
  tax_id: '30-70308853-4',
  postal_code: 'C1043',
  tax_regime: '',
  cfdi_use: '',
  tax_condition: '1',
};

const said = (buyer: Buyer) => fiscalProblems(buyer).map(({ field, message }) => `${field}: ${message}`);

describe('the data of a buyer', { tags: ['MONEY-03'] }, () => {
  test.each([
    ['a company in México', MEXICAN],
    ['a person in México', PERSON],
    ['a person in a regime of both', { ...PERSON, tax_regime: '626' as const }],
    ['the public at large', PUBLIC],
    ['a foreigner', { ...PUBLIC, tax_id: 'XEXX010101000' }],
    ['a company in Argentina', ARGENTINE],
    ['a final consumer with a DNI', { ...ARGENTINE, tax_condition: '5' as const, tax_id: '28.374.651' }],
    ['a final consumer without a number', { ...ARGENTINE, tax_condition: '5' as const, tax_id: '' }],
    ['a company in Chile', { ...MEXICAN, country: 'Chile', tax_id: '76086428-5', tax_regime: '' as const }],
    ['a country that is not known', { ...MEXICAN, country: 'Uruguay', tax_id: 'X' }],
  ])('a buyer who is %s has no problem', (_who, buyer) => {
    expect(said(buyer)).toEqual([]);
  });

  test('a buyer in México without data gets a message for each missing field', () => {
    const empty = { ...MEXICAN, tax_id: '', postal_code: '00000', tax_regime: '', cfdi_use: '' } as const;
    expect(said(empty)).toEqual([
      'tax_id: Falta el RFC.',
      'postal_code: Falta el código postal de cinco dígitos.',
      'tax_regime: Falta el régimen fiscal.',
      'cfdi_use: Falta el uso de CFDI.',
    ]);
  });

  test.each<[string, Buyer, string[]]>([
    [
      'an RFC with a wrong digit',
      { ...MEXICAN, tax_id: 'EKU9003173C8' },
      ['tax_id: El último carácter del RFC no corresponde a los demás: quizá está mal copiado.'],
    ],
    [
      'a postal code of four digits',
      { ...MEXICAN, postal_code: '6700' },
      ['postal_code: Falta el código postal de cinco dígitos.'],
    ],
    [
      'a company in a regime of persons',
      { ...MEXICAN, tax_regime: '612' },
      ['tax_regime: El régimen 612 es de personas, y el RFC es de una empresa.'],
    ],
    [
      'a person in a regime of companies',
      { ...PERSON, tax_regime: '601' },
      ['tax_regime: El régimen 601 es de empresas, y el RFC es de una persona.'],
    ],
    [
      'a use that the regime does not admit',
      { ...PERSON, tax_regime: '616' },
      ['cfdi_use: El régimen 616 no admite el uso G03.'],
    ],
    [
      'the public at large with another regime than its own',
      { ...PUBLIC, tax_regime: '601', cfdi_use: 'G03' },
      [
        'tax_regime: Con el RFC del público en general el régimen es 616 (Sin obligaciones fiscales).',
        'cfdi_use: Con el RFC del público en general el uso de CFDI es S01 (Sin efectos fiscales).',
      ],
    ],
    [
      'a foreigner without a regime',
      { ...PUBLIC, tax_id: 'XEXX010101000', tax_regime: '' },
      ['tax_regime: Con el RFC de extranjeros el régimen es 616 (Sin obligaciones fiscales).'],
    ],
    [
      'nothing in Argentina',
      { ...ARGENTINE, tax_id: '', tax_condition: '' },
      ['tax_id: Falta el CUIT.', 'tax_condition: Falta la condición frente al IVA.'],
    ],
    [
      'a DNI of a company in Argentina',
      { ...ARGENTINE, tax_id: '28374651' },
      ['tax_id: El CUIT lleva 11 dígitos, por ejemplo 20-12345678-6.'],
    ],
    [
      'a wrong RUT',
      { ...MEXICAN, country: 'Chile', tax_id: '76086428-4' },
      ['tax_id: El dígito verificador del RUT no corresponde a los demás: quizá está mal copiado.'],
    ],
  ])('%s is reported as a problem', (_what, buyer, problems) => {
    expect(said(buyer)).toEqual(problems);
  });

  test('an RFC of the wrong form is reported once, without an error about its regime', () => {
    expect(fiscalProblems({ ...MEXICAN, tax_id: 'EKU' }).map(({ field }) => field)).toEqual(['tax_id']);
  });

  test.each([
    ['Argentina', '30-70308853-4', '80'],
    ['Argentina', '28.374.651', '96'],
    ['Argentina', '', '99'],
    ['Argentina', 'X', ''],
    ['México', 'EKU9003173C9', ''],
  ])('in %s the document type of the tax id "%s" is "%s"', (country, tax_id, type) => {
    expect(documentType({ country, tax_id })).toBe(type);
  });
});

test('the catalogues contain each code once, and each tax regime admits a CFDI use (MONEY-03)', () => {
  expect([TAX_REGIME_CODES.length, CFDI_USE_CODES.length, TAX_CONDITION_CODES.length]).toEqual([19, 24, 11]);
  expect(TAX_REGIME_CODES.filter((regime) => !allowsUse(regime, 'S01'))).toEqual([]);
  expect([allowsUse('612', 'G03'), allowsUse('605', 'G03'), allowsUse('605', 'CN01')]).toEqual([
    true,
    false,
    true,
  ]);
});
