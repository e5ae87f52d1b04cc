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

/** The message about a licence to its client: key, product, type, seats, expiry; no price (D012). */
export function licenseMessage(license: License, timeZone: string): OutboxMessage {
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
  const opening = `Tu licencia de ${license.software_name} ya está lista. Estos son sus datos:`;
  const advice =
    'Guarda esta clave en un lugar seguro. La necesitarás para activar el programa en cada equipo.';
  const closing = 'Si tienes alguna duda, responde a este correo.';
  return {
    license_id: license.id,
    to_name: license.client_name,
    to_address: license.client_email,
    subject: `Tu licencia de ${license.software_name} ${license.software_version}`,
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
