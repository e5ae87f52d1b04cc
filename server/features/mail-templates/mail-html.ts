import { shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import type { Block, Inline } from './mail-markup.ts';
import { isolated } from './template-engine.ts';

export type MailFrame = {
  vendor: string;
  supportEmail: string;
  /** '#rrggbb', dark enough for white text on it. */
  accent: string;
  /** The address of the vendor's logo; null without one. */
  logoUrl: string | null;
  unsubscribeUrl: string | null;
  /** In a mail to a contact: the client whose contact it is; else null. */
  contactOf: string | null;
};

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** A text as the content or an attribute of an element. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** A colour mixed with white, for text on a dark background. */
const lightened = (color: string): string =>
  `#${[1, 3, 5]
    .map((at) => Math.round(Number.parseInt(color.slice(at, at + 2), 16) * 0.35 + 255 * 0.65))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;

const MONOSPACE = 'Consolas,Menlo,monospace';

/**
 * The styles for dark mode and for small screens. The mail is also readable without them, because some mail programs
 * remove them. Others invert colours by themselves, so text and background always have explicit colours.
 */
const sheet = (accent: string) => `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#14171c!important;color:#e6e9ee!important}
.card{background:#1e232b!important;color:#e6e9ee!important}
.muted{color:#a9b2c0!important}
.rule{border-color:#39414d!important}
.link{color:${lightened(accent)}!important}
.logo{background:#ffffff!important}
}
@media (max-width:480px){
.page{padding:8px!important}
.card{padding:20px 16px!important}
.fact td{display:block!important;width:auto!important;padding:0!important}
.fact td+td{padding:0 0 12px!important}
}`;

/** The HTML part: a table with inline styles, because mail programs support little else. */
export function toHtml(blocks: Block[], subject: string, frame: MailFrame): string {
  const { vendor, accent, logoUrl } = frame;
  const head = logoUrl
    ? `<img class="logo" src="${escapeHtml(logoUrl)}" alt="${escapeHtml(vendor)}" height="40" style="display:block;height:40px;max-width:100%;background:#ffffff;border:0;border-radius:4px;font-size:18px;font-weight:600">`
    : `<span style="font-size:18px;line-height:24px;font-weight:600"><bdi>${escapeHtml(vendor)}</bdi></span>`;
  return (
    '<!doctype html><html lang="es"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">' +
    `<title>${escapeHtml(subject)}</title><style>${sheet(accent)}</style></head>` +
    '<body class="page" style="margin:0;padding:24px;background:#f4f5f7;color:#1c2330;font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:22px">' +
    `<div class="card" style="max-width:536px;margin:0 auto;padding:28px 32px;background:#ffffff;color:#1c2330;border-top:4px solid ${accent};border-radius:8px;overflow-wrap:anywhere">` +
    `<div style="margin:0 0 24px">${head}</div>` +
    blocks.map((block) => blockHtml(block, accent)).join('') +
    `</div>${foot(frame)}</body></html>`
  );
}

function blockHtml(block: Block, accent: string): string {
  if (block.is === 'heading') {
    return `<h2 style="margin:24px 0 8px;font-size:16px;line-height:22px">${inlineHtml(block.content, accent)}</h2>`;
  }
  if (block.is === 'paragraph') {
    const lines = block.lines.map((line) => inlineHtml(line, accent));
    return `<p style="margin:0 0 16px">${lines.join('<br>')}</p>`;
  }
  if (block.is === 'button') {
    return (
      `<p style="margin:0 0 16px"><a href="${escapeHtml(block.url)}" style="display:inline-block;padding:11px 20px;` +
      `background:${accent};color:#ffffff;border-radius:6px;font-weight:600;text-decoration:none">${isolated(escapeHtml(block.text))}</a></p>`
    );
  }
  if (block.is === 'list') {
    const items = block.items.map((item) => `<li style="margin:0 0 4px">${inlineHtml(item, accent)}</li>`);
    return `<ul style="margin:0 0 16px;padding:0 0 0 20px">${items.join('')}</ul>`;
  }
  const rows = block.rows.map(
    ({ label, value }) =>
      `<tr class="fact"><td class="muted" style="width:38%;padding:6px 16px 6px 0;color:#5b6472;vertical-align:top">${inlineHtml(label, accent)}</td>` +
      `<td style="padding:6px 0;vertical-align:top">${inlineHtml(value, accent)}</td></tr>`,
  );
  return `<table role="presentation" style="border-collapse:collapse;width:100%;margin:0 0 16px">${rows.join('')}</table>`;
}

function inlineHtml(content: Inline[], accent: string): string {
  return content
    .map((part) => {
      const text = isolated(escapeHtml(part.text));
      if (part.is === 'bold') return `<strong>${text}</strong>`;
      if (part.is === 'code') return `<span style="font-family:${MONOSPACE};font-weight:600">${text}</span>`;
      if (part.is === 'link')
        return `<a class="link" href="${escapeHtml(part.url)}" style="color:${accent}">${text}</a>`;
      return text;
    })
    .join('');
}

function foot({ vendor, supportEmail, unsubscribeUrl, contactOf }: MailFrame): string {
  const link = (url: string, text: string) =>
    `<a class="muted" href="${escapeHtml(url)}" style="color:#5b6472">${escapeHtml(text)}</a>`;
  const parts = [
    `<bdi>${escapeHtml(vendor)}</bdi>`,
    ...(supportEmail === '' ? [] : [link(`mailto:${supportEmail}`, shownMailAddress(supportEmail))]),
    ...(unsubscribeUrl === null ? [] : [link(unsubscribeUrl, UNSUBSCRIBE)]),
  ];
  const of = contactOf === null ? '' : `${AS_CONTACT} <bdi>${escapeHtml(contactOf)}</bdi>.<br>`;
  return `<p class="muted" style="max-width:536px;margin:16px auto 0;padding:0 8px;color:#5b6472;font-size:13px;line-height:18px;text-align:center;overflow-wrap:anywhere">${of}${parts.join(' · ')}</p>`;
}

const UNSUBSCRIBE = 'Dejar de recibir estos avisos';
const AS_CONTACT = 'Usted recibe este correo como contacto de';

/** The footer of the text part; empty for a mail to a client without an unsubscribe link. */
export const footText = ({ unsubscribeUrl, contactOf }: MailFrame): string =>
  (contactOf === null ? '' : `\n\n${AS_CONTACT} ${contactOf}.`) +
  (unsubscribeUrl === null ? '' : `\n\n${UNSUBSCRIBE}: ${unsubscribeUrl}`);
