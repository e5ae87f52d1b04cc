/**
 * Codes of the tax offices with their names (MONEY-03): the SAT catalogues c_RegimenFiscal and c_UsoCFDI of CFDI 4.0,
 * and the ARCA parameter CondicionIVAReceptorId. To support a new code, add a line here.
 */

type Regime = { name: string; person: boolean; company: boolean };

const person = { person: true, company: false };
const company = { person: false, company: true };
const both = { person: true, company: true };

/** c_RegimenFiscal: the tax regimes, and whether a person, a company or both can have them. */
export const TAX_REGIMES = {
  601: { name: 'General de Ley Personas Morales', ...company },
  603: { name: 'Personas Morales con Fines no Lucrativos', ...company },
  605: { name: 'Sueldos y Salarios e Ingresos Asimilados a Salarios', ...person },
  606: { name: 'Arrendamiento', ...person },
  607: { name: 'Régimen de Enajenación o Adquisición de Bienes', ...person },
  608: { name: 'Demás ingresos', ...person },
  610: { name: 'Residentes en el Extranjero sin Establecimiento Permanente en México', ...both },
  611: { name: 'Ingresos por Dividendos (socios y accionistas)', ...person },
  612: { name: 'Personas Físicas con Actividades Empresariales y Profesionales', ...person },
  614: { name: 'Ingresos por intereses', ...person },
  615: { name: 'Régimen de los ingresos por obtención de premios', ...person },
  616: { name: 'Sin obligaciones fiscales', ...person },
  620: {
    name: 'Sociedades Cooperativas de Producción que optan por diferir sus ingresos',
    ...company,
  },
  621: { name: 'Incorporación Fiscal', ...person },
  622: { name: 'Actividades Agrícolas, Ganaderas, Silvícolas y Pesqueras', ...company },
  623: { name: 'Opcional para Grupos de Sociedades', ...company },
  624: { name: 'Coordinados', ...company },
  625: {
    name: 'Régimen de las Actividades Empresariales con ingresos a través de Plataformas Tecnológicas',
    ...person,
  },
  626: { name: 'Régimen Simplificado de Confianza', ...both },
} as const satisfies Record<string, Regime>;

/** The codes of a catalogue as texts. `keyof` gives the number 601 for a key such as 601. */
const codesOf = <Code extends string | number>(table: Record<Code, unknown>) =>
  Object.keys(table) as `${Code}`[];

export type TaxRegime = `${keyof typeof TAX_REGIMES}`;
export const TAX_REGIME_CODES = codesOf(TAX_REGIMES);

/** Regimes with business income, in which purchases are deductible. */
const BUSINESS: readonly TaxRegime[] = [
  ...(['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626'] as const),
];
/** Regimes of persons, in which personal expenses are deductible. */
const PERSONAL: readonly TaxRegime[] = ['605', '606', '607', '608', '611', '612', '614', '615', '625'];

/** c_UsoCFDI: the uses of an invoice, each with the buyer's regimes that allow it. */
export const CFDI_USES = {
  G01: { name: 'Adquisición de mercancías', regimes: BUSINESS },
  G02: { name: 'Devoluciones, descuentos o bonificaciones', regimes: [...BUSINESS, '616'] },
  G03: { name: 'Gastos en general', regimes: BUSINESS },
  I01: { name: 'Construcciones', regimes: BUSINESS },
  I02: { name: 'Mobiliario y equipo de oficina por inversiones', regimes: BUSINESS },
  I03: { name: 'Equipo de transporte', regimes: BUSINESS },
  I04: { name: 'Equipo de cómputo y accesorios', regimes: BUSINESS },
  I05: { name: 'Dados, troqueles, moldes, matrices y herramental', regimes: BUSINESS },
  I06: { name: 'Comunicaciones telefónicas', regimes: BUSINESS },
  I07: { name: 'Comunicaciones satelitales', regimes: BUSINESS },
  I08: { name: 'Otra maquinaria y equipo', regimes: BUSINESS },
  D01: { name: 'Honorarios médicos, dentales y gastos hospitalarios', regimes: PERSONAL },
  D02: { name: 'Gastos médicos por incapacidad o discapacidad', regimes: PERSONAL },
  D03: { name: 'Gastos funerales', regimes: PERSONAL },
  D04: { name: 'Donativos', regimes: PERSONAL },
  D05: {
    name: 'Intereses reales efectivamente pagados por créditos hipotecarios (casa habitación)',
    regimes: PERSONAL,
  },
  D06: { name: 'Aportaciones voluntarias al SAR', regimes: PERSONAL },
  D07: { name: 'Primas por seguros de gastos médicos', regimes: PERSONAL },
  D08: { name: 'Gastos de transportación escolar obligatoria', regimes: PERSONAL },
  D09: {
    name: 'Depósitos en cuentas para el ahorro, primas que tengan como base planes de pensiones',
    regimes: PERSONAL,
  },
  D10: { name: 'Pagos por servicios educativos (colegiaturas)', regimes: PERSONAL },
  S01: { name: 'Sin efectos fiscales', regimes: TAX_REGIME_CODES },
  CP01: { name: 'Pagos', regimes: TAX_REGIME_CODES },
  CN01: { name: 'Nómina', regimes: ['605'] },
} as const satisfies Record<string, { name: string; regimes: readonly TaxRegime[] }>;
export type CfdiUse = keyof typeof CFDI_USES;
export const CFDI_USE_CODES = codesOf(CFDI_USES);

/** True if a buyer in this regime may choose this use. */
export const allowsUse = (regime: TaxRegime, use: CfdiUse): boolean =>
  CFDI_USES[use].regimes.some((allowed) => allowed === regime);

/** The buyer's condition for IVA in Argentina (CondicionIVAReceptorId). */
export const TAX_CONDITIONS = {
  1: 'IVA Responsable Inscripto',
  4: 'IVA Sujeto Exento',
  5: 'Consumidor Final',
  6: 'Responsable Monotributo',
  7: 'Sujeto No Categorizado',
  8: 'Proveedor del Exterior',
  9: 'Cliente del Exterior',
  10: 'IVA Liberado – Ley N.º 19.640',
  13: 'Monotributista Social',
  15: 'IVA No Alcanzado',
  16: 'Monotributo Trabajador Independiente Promovido',
} as const;
export type TaxCondition = `${keyof typeof TAX_CONDITIONS}`;
export const TAX_CONDITION_CODES = codesOf(TAX_CONDITIONS);
