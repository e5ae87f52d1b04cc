import { FISCAL_TITLE } from '../../../../contract/figures/fiscal.ts';
import { countOf } from '../../../text/format.ts';

const CLIENTS = { one: 'cliente', many: 'clientes' };

/** Texts of the section 'Datos fiscales' of Reportes (MONEY-03). */
export const fiscalTexts = {
  title: FISCAL_TITLE,
  subtitle:
    'Las ventas del periodo, de todo el software y en todas las monedas, para tu programa de facturación',
  review: 'Revisar datos',
  reviewing: 'Revisando...',
  reviewFailed: 'No se pudieron revisar los datos fiscales',
  exportCsv: 'Exportar CSV',
  exportFailed: 'No se pudieron exportar los datos fiscales',
  fileName: 'datos-fiscales.csv',
  hint: 'Revisa los datos antes de exportar: verás qué clientes tienen algo que una factura rechazaría.',
  noSales: 'No hay ventas en este periodo.',
  fine: (clients: number) =>
    clients === 1
      ? 'Los datos del único cliente con ventas están completos.'
      : `Los datos de los ${countOf(clients, CLIENTS)} con ventas están completos.`,
  wrong: (clients: number, of: number) =>
    `${countOf(clients, CLIENTS)} de ${of} con ventas ${clients === 1 ? 'tiene' : 'tienen'} datos que una factura rechazaría.`,
  more: (clients: number) =>
    `Se muestran ${countOf(clients, CLIENTS)}. Puede haber más: corrige estos y revisa otra vez.`,
  lines: (terms: number) =>
    `El archivo tendrá ${countOf(terms, { one: 'línea', many: 'líneas' })}, una por venta.`,
  caption: 'Clientes con datos que una factura rechazaría',
} as const;
