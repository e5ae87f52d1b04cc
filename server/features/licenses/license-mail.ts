import type { License } from '../../../contract/licenses.ts';
import { localDay } from '../../../contract/time.ts';
import type { OutboxMessage } from '../mail/outbox.queries.ts';

const CATEGORY_LABELS: Record<License['license_type'], string> = {
  trial: 'Trial',
  basic: 'Básica',
  premium: 'Premium',
  enterprise: 'Empresarial',
  abono: 'Abono',
  pack: 'Pack',
  individual: 'Individual',
  promocional: 'Promocional',
};

const KEEP_KEY =
  'Guarda esta clave en un lugar seguro. La necesitarás para activar el programa en cada equipo.';
const NO_ACTION = 'No necesitas hacer nada: la clave es la misma y tus equipos siguen activados.';

type Notice = { subject: (product: string) => string; opening: (software: string) => string; advice: string };

/** The texts of each message by what was done with the licence. */
const NOTICES = {
  issued: {
    subject: (product) => `Tu licencia de ${product}`,
    opening: (software) => `Tu licencia de ${software} ya está lista. Estos son sus datos:`,
    advice: KEEP_KEY,
  },
  renewed: {
    subject: (product) => `Renovamos tu licencia de ${product}`,
    opening: (software) => `Tu licencia de ${software} se renovó. Estos son sus datos:`,
    advice: NO_ACTION,
  },
  extended: {
    subject: (product) => `Prórroga de tu licencia de ${product}`,
    opening: (software) => `Tu licencia de ${software} tiene una prórroga. Estos son sus datos:`,
    advice: NO_ACTION,
  },
  suspended: {
    subject: (product) => `Tu licencia de ${product} está suspendida`,
    opening: (software) => `Tu licencia de ${software} está suspendida: el programa no la acepta por ahora.`,
    advice: 'Escríbenos si crees que es un error o para reactivarla.',
  },
  reinstated: {
    subject: (product) => `Tu licencia de ${product} está activa de nuevo`,
    opening: (software) => `Tu licencia de ${software} está activa de nuevo. Estos son sus datos:`,
    advice: NO_ACTION,
  },
  cancelled: {
    subject: (product) => `Tu licencia de ${product} se canceló`,
    opening: (software) => `Tu licencia de ${software} se canceló: el programa ya no la acepta.`,
    advice: 'Escríbenos si crees que es un error.',
  },
  transferred: {
    subject: (product) => `Una licencia de ${product} ahora es tuya`,
    opening: (software) => `Se transfirió a tu nombre una licencia de ${software}. Estos son sus datos:`,
    advice: KEEP_KEY,
  },
  key_replaced: {
    subject: (product) => `Nueva clave de tu licencia de ${product}`,
    opening: (software) =>
      `Cambiamos la clave de tu licencia de ${software}. La anterior ya no sirve; esta es la nueva:`,
    advice: 'Escribe la clave nueva en el programa. Los equipos que ya estaban activados conservan su lugar.',
  },
} satisfies Record<string, Notice>;

export type LicenseNotice = keyof typeof NOTICES;

/** A message about a licence to its client: key, product, type, seats, expiry; no price (D012). */
export function licenseMessage(
  license: License,
  timeZone: string,
  notice: LicenseNotice = 'issued',
): OutboxMessage {
  const texts: Notice = NOTICES[notice];
  const facts: [label: string, value: string][] = [
    ['Clave de licencia', license.license_key],
    ['Software', `${license.software_name} ${license.software_version}`],
    ['Tipo de licencia', license.license_type_name ?? CATEGORY_LABELS[license.license_type]],
    ['Máximo de instalaciones', String(license.max_installations)],
    ['Fecha de emisión', formatDay(license.issued_date, timeZone)],
    [
      'Válida hasta',
      license.expiry_date === null ? 'Sin expiración' : formatDay(license.expiry_date, timeZone),
    ],
  ];
  const greeting = `Hola, ${license.client_name}:`;
  const opening = texts.opening(license.software_name);
  const { advice } = texts;
  const closing = 'Si tienes alguna duda, responde a este correo.';
  return {
    license_id: license.id,
    to_name: license.client_name,
    to_address: license.client_email,
    subject: texts.subject(`${license.software_name} ${license.software_version}`),
    body_text: [
      greeting,
      opening,
      facts.map(([label, value]) => `${label}: ${value}`).join('\n'),
      advice,
      closing,
    ].join('\n\n'),
    body_html: html({ greeting, opening, facts, advice, closing, subject: license.software_name }),
  };
}

type Parts = {
  greeting: string;
  opening: string;
  facts: [string, string][];
  advice: string;
  closing: string;
  subject: string;
};

/** Mail programs do not support style sheets or modern layout, so this is a table with inline styles. */
function html({ greeting, opening, facts, advice, closing, subject }: Parts): string {
  const row = ([label, value]: [string, string], index: number) => {
    const font = index === 0 ? 'font-family:Consolas,Menlo,monospace;font-size:16px;font-weight:600;' : '';
    return (
      `<tr><td style="padding:8px 16px 8px 0;color:#5b6472;vertical-align:top">${escapeHtml(label)}</td>` +
      `<td style="padding:8px 0;${font}">${escapeHtml(value)}</td></tr>`
    );
  };
  return (
    `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>` +
    '<body style="margin:0;padding:24px;background:#f4f5f7;color:#1c2330;font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:22px">' +
    '<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">' +
    `<p style="margin:0 0 12px">${escapeHtml(greeting)}</p><p style="margin:0 0 16px">${escapeHtml(opening)}</p>` +
    `<table role="presentation" style="border-collapse:collapse;width:100%">${facts.map(row).join('')}</table>` +
    `<p style="margin:20px 0 12px">${escapeHtml(advice)}</p><p style="margin:0;color:#5b6472">${escapeHtml(closing)}</p>` +
    '</div></body></html>'
  );
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** The Mexican date format: day/month/year. */
const formatDay = (instant: string, timeZone: string) =>
  localDay(instant, timeZone).split('-').reverse().join('/');
