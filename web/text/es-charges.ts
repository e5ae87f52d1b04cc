import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { LABELS } from '../../contract/base/labels.ts';
import { requestConcept } from '../../contract/payments/payment-words.ts';
import { PRODUCT } from './es.ts';
import { chargeTexts } from './es-payments.ts';
import { confirmTexts } from './es-transfers.ts';
import { countOf } from './format.ts';

/** Texts of 'Nuevo cobro', and of money that is shown beside a client or a licence (MONEY-13). */

export const newChargeTexts = {
  title: 'Nuevo cobro',
  next: 'Siguiente paso',
  client: LABELS.client,
  chooseClient: 'Elige el cliente',
  licenses: 'Qué se cobra',
  chooseLicense: 'Elige al menos una licencia',
  failed: 'Error al cargar las licencias',
  none: 'Este cliente no tiene licencias que se puedan renovar.',
  more: (count: number) => `Se muestran las primeras ${count}. Para cobrar otra, ábrela y elige Cobrar.`,
  requested: (id: number) => `Ya tiene un cobro por pagar: ${requestConcept(id)}`,
} as const;

/** The vendor's name, which is asked for before the first request. */
export const vendorNameTexts = {
  label: 'El nombre de tu empresa',
  help: `Firma el cobro y sus correos. Hasta ahora dice «${PRODUCT}».`,
  required: 'Escribe el nombre de tu empresa',
  others: `El cobro va a nombre de «${PRODUCT}». Un administrador puede cambiarlo en Configuración, Empresa.`,
} as const;

export const clientMoneyTexts = {
  title: 'Dinero',
  sold: 'Comprado',
  soldHelp: 'sin impuesto',
  withTax: 'con impuesto',
  collected: DETAIL_LABELS.collected,
  receivable: 'Por cobrar',
  requests: (count: number) => countOf(count, { one: 'cobro abierto', many: 'cobros abiertos' }),
  last: 'Último pago',
  never: 'Ninguno todavía',
  charge: chargeTexts.action,
  nothing: 'Todavía no compró nada.',
} as const;

export const registerTexts = {
  action: confirmTexts.submit,
  of: (name: string) => `${confirmTexts.submit} de ${name}`,
  withoutRequest: 'Sin cobro: al renovar, di que ya pagó',
  failed: 'Error al cargar el cobro',
  notOpen: confirmTexts.over,
} as const;
