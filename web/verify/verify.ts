import type { CertificateCheck, Vendor } from '../../contract/licenses/certificate.ts';
import { CERTIFICATE_STATUS_LABELS, certificateTexts, verifyTexts } from '../text/es-certificate.ts';
import { withoutEnd } from '../text/es-ends.ts';
import './verify.css';

/**
 * The public page '¿Es auténtica?' (LIFE-12). It uses no code of the console and no library, so that people who scan a
 * certificate load only a few kilobytes.
 */

const PAGE = '/verificar';
const CALL = '/licenses/api/verify/';
const USABLE = ['active', 'trial'];

type Tone = 'good' | 'warning' | 'bad' | 'plain';
type Child = Node | string | null;

/** Creates an element with attributes and children. Text is never parsed as HTML. */
function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

const root = document.getElementById('root');
if (root === null) throw new Error('#root is missing from verificar.html');
// A live region, which must exist from the start so that screen readers announce changes.
const result = element('div', { role: 'status' });
const above = element('div');
root.append(above, element('h1', {}, verifyTexts.title), result);

const verdict = (tone: Tone, title: string, text: string) =>
  element('div', { class: 'verdict', 'data-tone': tone }, element('strong', {}, title), text);

const fact = (label: string, value: string) =>
  element('div', {}, element('dt', {}, label), element('dd', {}, value));

/** A day in the vendor's time zone, or in the browser's if it does not support the vendor's. */
function formatDay(instant: string, timeZone: string): string {
  const form = { day: '2-digit', month: '2-digit', year: 'numeric' } as const;
  try {
    return new Intl.DateTimeFormat('es-MX', { ...form, timeZone }).format(new Date(instant));
  } catch {
    return new Intl.DateTimeFormat('es-MX', form).format(new Date(instant));
  }
}

function showVendor({ name, logo, accent_color }: Vendor): void {
  root?.style.setProperty('--accent', accent_color);
  const picture = logo === null ? null : element('img', { src: logo, alt: '' });
  above.replaceChildren(element('p', { class: 'vendor' }, picture, name));
}

function showFound(found: CertificateCheck): void {
  showVendor(found.vendor);
  const isUsable = USABLE.includes(found.status);
  const text = isUsable ? verifyTexts.yesText : `${verifyTexts.yesText} ${verifyTexts.notValid}`;
  const { software_name, software_version, expiry_date, issued_date, time_zone } = found;
  result.replaceChildren(
    verdict(isUsable ? 'good' : 'warning', verifyTexts.yes, text),
    element(
      'dl',
      {},
      fact(certificateTexts.status, CERTIFICATE_STATUS_LABELS[found.status]),
      fact(certificateTexts.software, `${software_name} ${software_version}`),
      fact(certificateTexts.client, found.client_name),
      fact(certificateTexts.issued, formatDay(issued_date, time_zone)),
      fact(
        certificateTexts.expiry,
        expiry_date === null ? withoutEnd(found) : formatDay(expiry_date, time_zone),
      ),
      fact(certificateTexts.code, found.code),
    ),
    element(
      'p',
      { class: 'foot' },
      found.vendor.support_email === ''
        ? null
        : element('a', { href: `mailto:${found.vendor.support_email}` }, found.vendor.support_email),
    ),
  );
}

function codeForm(typed: string): HTMLFormElement {
  const input = element('input', {
    id: 'code',
    value: typed,
    required: '',
    maxlength: '40',
    autocomplete: 'off',
    autocapitalize: 'characters',
    spellcheck: 'false',
    'aria-describedby': 'code-help',
  });
  const form = element(
    'form',
    {},
    element('label', { for: 'code' }, verifyTexts.code),
    element('p', { class: 'help', id: 'code-help' }, verifyTexts.codeHelp),
    element('div', { class: 'row' }, input, element('button', {}, verifyTexts.check)),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    location.assign(`${PAGE}/${encodeURIComponent(input.value.trim())}`);
  });
  return form;
}

function showFailure(text: string, code: string): void {
  const retry = element('button', { type: 'button' }, verifyTexts.retry);
  retry.addEventListener('click', () => void check(code));
  result.replaceChildren(verdict('plain', verifyTexts.failed, text), retry);
}

async function check(code: string): Promise<void> {
  result.replaceChildren(verdict('plain', verifyTexts.checking, ''));
  try {
    const answer = await fetch(`${CALL}${encodeURIComponent(code)}/`);
    if (answer.ok) showFound(await answer.json());
    else if (answer.status === 404) {
      result.replaceChildren(verdict('bad', verifyTexts.no, verifyTexts.noText), codeForm(code));
    } else showFailure(answer.status === 429 ? verifyTexts.tooMany : verifyTexts.failedText, code);
  } catch {
    showFailure(verifyTexts.failedText, code);
  }
}

/** The code in the address. If it cannot be decoded, it is used unchanged. */
function codeOfAddress(): string {
  const [, , code = ''] = location.pathname.split('/');
  try {
    return decodeURIComponent(code);
  } catch {
    return code;
  }
}

const code = codeOfAddress();
if (code === '') result.replaceChildren(codeForm(''));
else void check(code);
