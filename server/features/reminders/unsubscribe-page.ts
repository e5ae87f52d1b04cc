import { hash } from 'node:crypto';
import { PORTAL_LINK } from '../../../contract/portal/portal-words.ts';
import { escapeHtml } from '../../lib/escape-html.ts';

/** The unsubscribe page of reminders: one question and one button, without scripts (LIFE-08). */

/** The content of the page: 'asks' the question, 'done' after unsubscribing, or 'unknown' for an unknown link. */
export type UnsubscribeState = 'asks' | 'done' | 'unknown';

const TITLES: Record<UnsubscribeState, string> = {
  asks: 'Avisos de vencimiento',
  done: 'Ya no recibirá avisos de vencimiento',
  unknown: 'Este enlace no es válido',
};

const TEXTS: Record<UnsubscribeState, (vendor: string) => string> = {
  asks: (vendor) =>
    `${vendor} le avisa por correo antes de que venzan sus licencias. ¿Quiere dejar de recibir esos avisos? ` +
    'Los correos sobre cambios en sus licencias le seguirán llegando.',
  done: (vendor) => `Si cambia de opinión, escriba a ${vendor} y se los volverá a enviar.`,
  unknown: (vendor) => `Puede que esté incompleto. Escriba a ${vendor} si quiere dejar de recibir avisos.`,
};

const BUTTON = 'Dejar de recibir avisos';

const styleOf = (accent: string) => `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f5f7, #14171c); color: light-dark(#1c2330, #e8eaee); }
main { box-sizing: border-box; width: min(32rem, 100% - 2rem); margin: 1rem; padding: 2rem; border-radius: 0.75rem; background: light-dark(#fff, #1e232b); }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.3; text-wrap: balance; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0.5rem 1.25rem; border: 0; border-radius: 0.5rem; background: ${accent}; color: #fff; cursor: pointer; }
a { color: inherit; font-weight: 600; display: inline-block; padding: 0.375rem 0; }
form + p { margin-top: 1rem; }
button:focus-visible, a:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
`;

/**
 * @param page.accent the vendor's colour '#rrggbb'
 * @param page.portal the address of the portal; null while it is closed
 */
export function unsubscribePage(page: {
  state: UnsubscribeState;
  vendor: string;
  accent: string;
  portal: string | null;
}) {
  const { state, vendor, accent, portal } = page;
  const style = styleOf(accent);
  const form = state === 'asks' ? `<form method="post"><button type="submit">${BUTTON}</button></form>` : '';
  const link = portal === null ? '' : `<p><a href="${escapeHtml(portal)}">${PORTAL_LINK}</a></p>`;
  const html =
    '<!doctype html><html lang="es"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
    `<title>${escapeHtml(`${TITLES[state]} - ${vendor}`)}</title><style>${style}</style></head>` +
    `<body><main><p>${escapeHtml(vendor)}</p><h1>${TITLES[state]}</h1>` +
    `<p>${escapeHtml(TEXTS[state](vendor))}</p>${form}${link}</main></body></html>`;
  const styleHash = hash('sha256', style, 'base64');
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    },
  };
}
