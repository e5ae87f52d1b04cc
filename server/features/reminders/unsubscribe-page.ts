import { hash } from 'node:crypto';
import { escapeHtml } from '../../lib/escape-html.ts';

/** The unsubscribe page of reminders: one question and one button, without scripts (LIFE-08). */

/** The content of the page: 'asks' the question, 'done' after unsubscribing, or 'unknown' for an unknown link. */
export type UnsubscribeState = 'asks' | 'done' | 'unknown';

const TITLES: Record<UnsubscribeState, string> = {
  asks: 'Avisos de vencimiento',
  done: 'Ya no recibirás avisos de vencimiento',
  unknown: 'Este enlace no es válido',
};

const TEXTS: Record<UnsubscribeState, (vendor: string) => string> = {
  asks: (vendor) =>
    `${vendor} te avisa por correo antes de que venzan tus licencias. ¿Quieres dejar de recibir esos avisos? ` +
    'Los correos sobre cambios en tus licencias te seguirán llegando.',
  done: (vendor) => `Si cambias de opinión, escribe a ${vendor} y te los volverá a enviar.`,
  unknown: (vendor) => `Puede que esté incompleto. Escribe a ${vendor} si quieres dejar de recibir avisos.`,
};

const BUTTON = 'Dejar de recibir avisos';

const styleOf = (accent: string) => `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f5f7, #14171c); color: light-dark(#1c2330, #e8eaee); }
main { box-sizing: border-box; width: min(32rem, 100% - 2rem); margin: 1rem; padding: 2rem; border-radius: 0.75rem; background: light-dark(#fff, #1e232b); }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.3; text-wrap: balance; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0.5rem 1.25rem; border: 0; border-radius: 0.5rem; background: ${accent}; color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
`;

/** @param page.accent the vendor's colour '#rrggbb' */
export function unsubscribePage(page: { state: UnsubscribeState; vendor: string; accent: string }) {
  const { state, vendor, accent } = page;
  const style = styleOf(accent);
  const form = state === 'asks' ? `<form method="post"><button type="submit">${BUTTON}</button></form>` : '';
  const html =
    '<!doctype html><html lang="es"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
    `<title>${escapeHtml(`${TITLES[state]} - ${vendor}`)}</title><style>${style}</style></head>` +
    `<body><main><p>${escapeHtml(vendor)}</p><h1>${TITLES[state]}</h1>` +
    `<p>${escapeHtml(TEXTS[state](vendor))}</p>${form}</main></body></html>`;
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
