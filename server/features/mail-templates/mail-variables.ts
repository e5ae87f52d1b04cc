import { DETAIL_LABELS } from '../../../contract/base/detail-labels.ts';
import { inSentence } from '../../../contract/base/labels.ts';
import { CLIENT_LABELS } from '../../../contract/clients/clients.fields.ts';
import { LICENSE_STATUS_LABELS } from '../../../contract/licenses/license-words.ts';
import { LICENSE_LABELS } from '../../../contract/licenses/licenses.fields.ts';
import type { MailKind, TemplateVariable } from '../../../contract/mail/mails.ts';
import { PAYMENT_METHOD_LABELS, PAYMENT_PROVIDER_LABELS } from '../../../contract/payments/payment-words.ts';
import { SOFTWARE_LABELS } from '../../../contract/software/software.fields.ts';
import type { MailedKey } from './mailed-keys.ts';

/**
 * The variables of each kind of mail, in one table. From it follow the editor's list, the check of a template, the
 * sample data of a preview, and the type of the values that a caller gives to queueMail.
 */

/**
 * Values that a template may only use whole (whole-values.ts). Whoever reads a `link` or a `code` can use it once to
 * get access; a `link` must be the address of a link. A `key` is a licence key. An `address` is one of the vendor's own;
 * `words` are written in the settings.
 */
export type WholeForm = 'link' | 'code' | 'key' | 'address' | 'words';
type Leaf<Value> = {
  is: 'text' | 'number' | 'flag' | WholeForm;
  label: string;
  sample: Value;
  least: Value;
};
type Group<Inner> = { is: 'group'; fields: Inner };
type List<Inner> = { is: 'list'; label: string; one: string; fields: Inner };
// biome-ignore lint/suspicious/noExplicitAny: a description of any of the three value types
export type Described = Leaf<any> | Group<Fields> | List<Fields>;
export type Fields = { [name: string]: Described };

/** The type of the values that match a description. */
type ValuesOf<Inner> = {
  [Name in keyof Inner]: Inner[Name] extends Leaf<infer Value>
    ? Value
    : Inner[Name] extends Group<infer Deeper>
      ? ValuesOf<Deeper>
      : Inner[Name] extends List<infer Deeper>
        ? ValuesOf<Deeper>[]
        : never;
};

const text = (label: string, sample: string): Leaf<string> => ({ is: 'text', label, sample, least: 'x' });
/** A text that may be absent: it is then null, which is false in a condition. */
const optional = (label: string, sample: string): Leaf<string | null> => ({
  is: 'text',
  label,
  sample,
  least: null,
});
const whole = <Value>(is: WholeForm, label: string, sample: Value): Leaf<Value> => ({
  is,
  label,
  sample,
  least: sample,
});
/** A whole value that may be absent. */
const optionalWhole = (is: WholeForm, label: string, sample: string): Leaf<string | null> => ({
  is,
  label,
  sample,
  least: null,
});
const address = (label: string, sample: string) => whole('address', label, sample);
const number = (label: string, sample: number): Leaf<number> => ({ is: 'number', label, sample, least: 0 });
/** A number that may be absent. */
const optionalNumber = (label: string, sample: number): Leaf<number | null> => ({
  is: 'number',
  label,
  sample,
  least: null,
});
const flag = (label: string): Leaf<boolean> => ({ is: 'flag', label, sample: false, least: true });
const group = <Inner extends Fields>(fields: Inner): Group<Inner> => ({ is: 'group', fields });
/** @param one the name of one item in the editor's example of a loop */
const list = <Inner extends Fields>(label: string, one: string, fields: Inner): List<Inner> => ({
  is: 'list',
  label,
  one,
  fields,
});

/** The variables that all templates have; queueMail adds them. */
const COMMON_VARIABLES = {
  vendor: text('Nombre de tu empresa', 'Sistemas del Centro'),
  support_email: optional('Email de soporte de tu empresa', 'soporte@example.com'),
  portal_url: optionalWhole(
    'address',
    'Dirección del portal de tus clientes; vacía si está cerrado',
    'https://licencias.example.com/portal',
  ),
};

const SAMPLE_KEY: MailedKey = { license: 0, key: 'K7M2P-9QRT4-XW8NB-3HJD6-VF5CA' };

const LICENSE = {
  key: whole<MailedKey>('key', `${inSentence(LICENSE_LABELS.license_key)}: solo entera`, SAMPLE_KEY),
  product: text(`${SOFTWARE_LABELS.name} del software`, 'Caja Fácil'),
  version: text(`${SOFTWARE_LABELS.version} del software`, '4.2.0'),
  type: text(inSentence(LICENSE_LABELS.license_type_config), 'Anual Plus'),
  seats: number('Máximo de equipos', 5),
  issued: text(inSentence(LICENSE_LABELS.issued_date), '21/12/2025'),
  expires: text("Fecha en que vence, 'Sin expiración' o 'Empieza al activarse'", '21/12/2026'),
  updates: optional('Último día cuyas versiones incluye, si tiene uno', '21/12/2026'),
  days_left: number('Días que le quedan; 0 si venció o no vence', 30),
  when: text("Cuándo vence, en palabras: 'vence mañana', 'venció ayer'", 'vence en 30 días'),
  expired: flag('Si ya venció'),
  status: text(LICENSE_LABELS.status, LICENSE_STATUS_LABELS.active),
};

/** The values that licences issued together share. */
const { key: KEY, ...TERMS } = LICENSE;

const CLIENT = group({
  name: text(`${CLIENT_LABELS.name} del cliente`, 'María Fernanda Ríos'),
  company: optional(`${CLIENT_LABELS.company} del cliente`, 'Abarrotes La Esperanza'),
  email: text(`${CLIENT_LABELS.email} del cliente`, 'maria.rios@example.com'),
});

const USER = group({
  name: text('Nombre de la persona', 'Ana Ríos'),
  email: text('Email de la persona', 'ana.rios@example.com'),
});

const REASON = optional('Motivo que escribió quien hizo el cambio', 'Falta el pago de noviembre');
const ofLicense = { client: CLIENT, license: group(LICENSE) };
const withReason = { ...ofLicense, reason: REASON };

const FIGURE = {
  client: text(LICENSE_LABELS.client, 'Abarrotes La Esperanza'),
  product: text(LICENSE_LABELS.software, 'Caja Fácil 4.2.0'),
};

/** The paid items, for a payment request and for its receipt. */
const PAYMENT = {
  lines: list('Lo que se paga', 'concepto', {
    description: text('Qué es', 'Renovación: Caja Fácil 4.2.0'),
    amount: text('Importe sin impuesto', '$2,400.00 MXN'),
    starts: optional('Desde qué día', '22/12/2026'),
    ends: optional('Hasta qué día', '21/12/2027'),
  }),
  count: number('Cuántos conceptos son', 1),
  subtotal: text('Importe sin impuesto', '$2,400.00 MXN'),
  tax_rate: text('Impuesto en por ciento', '16'),
  tax: optional('Importe del impuesto; vacío sin impuesto', '$384.00 MXN'),
  total: text('Importe total', '$2,784.00 MXN'),
  withheld: optional('Impuesto que el cliente retuvo; vacío si no retuvo', '$240.00 MXN'),
};

/** What was received when it was sold (MONEY-05). */
const RECEIVED = group({
  received: optional('Lo que se recibió al venderla; vacío si no se registró un pago', '$2,400.00 MXN'),
  method: optional('Cómo se pagó', PAYMENT_METHOD_LABELS.transfer),
  reference: optional('Referencia del pago', 'SPEI 0042'),
  paid: optional('Fecha del pago', '21/12/2025'),
  withheld: optional('Impuesto que retuvo el cliente', '$240.00 MXN'),
  due: optional('Lo que queda por pagar', '$144.00 MXN'),
});

export const MAIL_VARIABLES = {
  license_issued: { ...ofLicense, payment: RECEIVED },
  licenses_issued: {
    client: CLIENT,
    license: group(TERMS),
    licenses: list('Las licencias', 'licencia', {
      number: number('Su número en la lista', 1),
      key: KEY,
    }),
    count: number('Cuántas licencias son', 20),
    payment: RECEIVED,
  },
  license_renewed: {
    ...withReason,
    seats_added: optionalNumber('Lugares que se agregaron hasta el vencimiento; vacío si se renovó', 2),
    payment: RECEIVED,
  },
  license_extended: withReason,
  license_reminder: {
    client: CLIENT,
    licenses: list('Las licencias que vencen', 'licencia', LICENSE),
    count: number('Cuántas licencias son', 1),
    /** 'vence en 7 días' if all end on one day, else 'vencen pronto'. */
    when: text('Cuándo vencen, en palabras', 'vence en 30 días'),
    payment_url: optionalWhole(
      'address',
      'Dirección para pagar la renovación; vacía donde no se ofrece',
      'https://licencias.example.com/pagar/muestra',
    ),
  },
  license_suspended: withReason,
  license_reinstated: ofLicense,
  license_cancelled: withReason,
  key_replaced: withReason,
  license_transferred: withReason,
  invitation: {
    user: USER,
    inviter: text('Quién invita', 'Jorge Medina'),
    link: whole(
      'link',
      'Enlace para entrar, de un solo uso: solo entero, como [Entrar]({{ link }})',
      'https://licencias.example.com/invitacion?token=muestra',
    ),
    hours: number('Horas que dura el enlace', 48),
  },
  password_reset: {
    user: USER,
    link: whole(
      'link',
      'Enlace, de un solo uso: solo entero, como [Elegir otra]({{ link }})',
      'https://licencias.example.com/restablecer?token=muestra',
    ),
    minutes: number('Minutos que dura el enlace', 10),
  },
  api_key_expiring: {
    user: USER,
    key: group({
      name: text('Nombre de la clave', 'Tienda en línea'),
      last_four: text('Los últimos cuatro caracteres de la clave', 'x7Qa'),
      expires: text('Fecha en que vence', '06/12/2026'),
      when: text("Cuándo vence, en palabras: 'vence mañana'", 'vence en 14 días'),
    }),
    link: address('Enlace a las claves de API', 'https://licencias.example.com/settings/claves'),
  },
  webhook_disabled: {
    user: USER,
    webhook: group({
      url: text('Dirección del webhook', 'https://crm.example.com/avisos'),
      description: optional('Descripción del webhook', 'CRM'),
      reason: text('Por qué se desactivó', 'El receptor falló durante 5 días'),
      since: text('Desde cuándo falla', '16/11/2026'),
    }),
    link: address('Enlace a los webhooks', 'https://licencias.example.com/settings/webhooks'),
  },
  portal_link: {
    client: CLIENT,
    code: whole('code', 'Código para entrar: solo entero', '482913'),
    link: whole(
      'link',
      'Enlace para entrar, de un solo uso: solo entero, como [Entrar]({{ link }})',
      'https://licencias.example.com/portal#t=muestra',
    ),
    minutes: number('Minutos que duran el código y el enlace', 10),
  },
  portal_invitation: {
    client: CLIENT,
    link: address('Dirección del portal', 'https://licencias.example.com/portal'),
  },
  client_request: {
    client: CLIENT,
    license: group(LICENSE),
    asked: text("Qué pide, en palabras: 'una renovación', 'más equipos', 'ayuda'", 'una renovación'),
    message: optional('Lo que escribió el cliente', 'Por favor, con factura.'),
    link: address('Enlace a la licencia en la consola', 'https://licencias.example.com/licenses/1'),
  },
  payment_request: {
    client: CLIENT,
    ...PAYMENT,
    due: text('Lo que falta por pagar', '$2,784.00 MXN'),
    partial: flag('Si ya se pagó una parte: entonces no vence'),
    received: optional('Lo que ya llegó', '$1,000.00 MXN'),
    expires: text('Hasta qué día vale', '28/12/2026'),
    note: optional('Lo que escribiste al cliente', 'Incluye la actualización de enero'),
    instructions: optionalWhole(
      'words',
      'Instrucciones para pagar por transferencia: solo enteras',
      'CLABE 012 345 678 901 234 567',
    ),
    link: address('Dirección para pagar', 'https://licencias.example.com/pagar/muestra'),
  },
  payment_received: {
    client: CLIENT,
    ...PAYMENT,
    provider: text('Con qué se pagó', PAYMENT_PROVIDER_LABELS.mercado_pago),
    paid: text('Fecha del pago', '21/12/2026'),
    reference: optional('Referencia del pago', 'SPEI 0042'),
    partial: flag('Si se pagó en partes, o con una retención'),
    payments: list('Los pagos', 'pago', {
      paid: text('Fecha del pago', '21/12/2026'),
      provider: text('Con qué se pagó', PAYMENT_PROVIDER_LABELS.mercado_pago),
      reference: optional('Referencia del pago', 'SPEI 0042'),
      amount: text(DETAIL_LABELS.amount, '$1,272.00 MXN'),
    }),
    test: flag('Si fue un pago de prueba'),
  },
  digest: {
    user: USER,
    link: address('Enlace a la consola', 'https://licencias.example.com/dashboard'),
    renewals_count: number('Renovaciones de los próximos 30 días', 2),
    renewals_amount: text('Importe de esas renovaciones', '$4,800.00 MXN'),
    renewals_link: address(
      'Enlace a esas licencias',
      'https://licencias.example.com/licenses?expiring_within=30&ordering=expiry_date',
    ),
    renewals: list('Las renovaciones de los próximos 30 días', 'renovacion', {
      ...FIGURE,
      expires: text('Fecha en que vence', '02/12/2026'),
      amount: text(DETAIL_LABELS.amount, '$2,400.00 MXN'),
    }),
    expired_count: number('Licencias que vencieron sin renovarse', 1),
    expired_link: address('Enlace a las vencidas', 'https://licencias.example.com/licenses'),
    expired: list('Las que vencieron sin renovarse', 'vencida', {
      ...FIGURE,
      expires: text('Fecha en que venció', '14/11/2026'),
    }),
    failed_mails: number('Correos que fallaron', 1),
    failed_link: address(
      'Enlace a los correos fallidos',
      'https://licencias.example.com/settings/correos?status=failed',
    ),
    silent_machines: number('Equipos sin señal en 7 días', 3),
    silent_link: address(
      'Enlace a las licencias sin señal',
      'https://licencias.example.com/licenses?silent_for=7',
    ),
    full_count: number('Licencias con más del 90 % de lugares en uso', 1),
    full_link: address(
      'Enlace a las licencias sin lugares',
      'https://licencias.example.com/licenses?seats_full=true',
    ),
    full: list('Las licencias casi sin lugares libres', 'llena', {
      ...FIGURE,
      used: number(DETAIL_LABELS.seats_used, 10),
      seats: number('Máximo de equipos', 10),
    }),
  },
} satisfies Record<MailKind, Fields>;

/** The values that a caller of queueMail gives for a kind. */
export type MailVariables<Kind extends MailKind> = ValuesOf<(typeof MAIL_VARIABLES)[Kind]>;
export type CommonVariables = ValuesOf<typeof COMMON_VARIABLES>;
export type LicenseVariables = ValuesOf<typeof LICENSE>;

/** All variables of a kind. */
export const variablesOf = (kind: MailKind): Fields => ({ ...COMMON_VARIABLES, ...MAIL_VARIABLES[kind] });

const WHOLE: ReadonlySet<string> = new Set<WholeForm>(['link', 'code', 'key', 'address', 'words']);

/** Whether a template may only use the value of a variable whole. */
export const isWhole = (field: Described): field is Described & { is: WholeForm } => WHOLE.has(field.is);

/** Sample values: complete, or as few as possible. */
export function sampleOf(fields: Fields, amount: 'sample' | 'least'): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, field]) => {
    if (field.is === 'group') return [name, sampleOf(field.fields, amount)];
    if (field.is !== 'list') return [name, field[amount]];
    return [name, amount === 'least' ? [] : [sampleOf(field.fields, amount)]];
  });
  return Object.fromEntries(entries);
}

/** The variables of a kind as the editor lists them. */
export const describeVariables = (kind: MailKind): TemplateVariable[] => describe(variablesOf(kind), '');

function describe(fields: Fields, prefix: string): TemplateVariable[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.is === 'group') return describe(field.fields, `${prefix}${name}.`);
    const known = { name: `${prefix}${name}`, description: field.label };
    if (field.is !== 'list') {
      return {
        ...known,
        type: typeOf(field.is),
        optional: field.least === null,
        sample: written(field.sample),
        items: [],
      };
    }
    const items = describe(field.fields, `${field.one}.`).map(({ name, description, sample }) => ({
      name,
      description,
      sample,
    }));
    const sample = `{% for ${field.one} in ${name} %} … {% endfor %}`;
    return { ...known, type: field.is, optional: false, sample, items };
  });
}

/** The type of a variable in an answer: of the whole values only a one-time link has its own. */
function typeOf(is: Leaf<unknown>['is']): TemplateVariable['type'] {
  return is === 'number' || is === 'flag' || is === 'link' ? is : 'text';
}

/** The sample of a flag is always false. */
const written = (value: string | number | false | MailedKey): string => {
  if (typeof value === 'object') return value.key;
  return value === false ? 'no' : String(value);
};
