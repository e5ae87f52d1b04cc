import type { Template } from 'liquidjs';
import { BATCH_MAX } from '../../../contract/licenses/licenses.ts';
import type { MailKind } from '../../../contract/mail/mails.ts';
import { PORTAL_PATH } from '../../../contract/portal/portal-words.ts';
import { shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import { SETTINGS_DEFAULTS, type SettingsValues } from '../../../contract/settings/settings.ts';
import { reasonOf } from '../../lib/reason-of.ts';
import type { Scope } from '../../scope.ts';
import { DEFAULT_TEMPLATES, type TemplateTexts } from './default-templates.ts';
import { footText, type MailFrame, toHtml } from './mail-html.ts';
import { readMarkup, toText } from './mail-markup.ts';
import { type MailStyle, readMailStyle } from './mail-templates.queries.ts';
import { type CommonVariables, type Fields, variablesOf } from './mail-variables.ts';
import type { Content, KeyMarks } from './mailed-keys.ts';
import { type Engine, templateEngine, unshielded, withoutMarks } from './template-engine.ts';
import { hideWhole } from './whole-values.ts';

/** The frame of a text that is only looked at: it adds nothing. */
export const PLAIN_FRAME: MailFrame = {
  vendor: 'x',
  supportEmail: '',
  accent: '#000000',
  logoUrl: null,
  unsubscribeUrl: null,
  contactOf: null,
};

/** A cache of parsed templates by text; its limit is larger than the number of kinds. */
const parsed = new Map<string, Template[]>();
const PARSED_MAX = 100;

function parseOnce(engine: Engine, text: string): Template[] {
  let template = parsed.get(text);
  if (!template) {
    template = engine.parse(text);
    if (parsed.size >= PARSED_MAX) parsed.clear();
    parsed.set(text, template);
  }
  return template;
}

/** A rendered template: in place of licence keys it has marks. `keys` is null if it has none. */
export type RenderedTexts = Content & { keys: KeyMarks | null };

/**
 * Renders both texts of a template.
 * @param fields the description of the variables, including which of them must stay whole
 * @throws LiquidError with the wrong token; Misused
 */
export async function renderTexts(
  { subject, body }: TemplateTexts,
  values: Record<string, unknown>,
  { fields, frame }: { fields: Fields; frame: MailFrame },
): Promise<RenderedTexts> {
  const engine = await templateEngine();
  const { variables, reveal, keys } = hideWhole(fields, values);
  const title = withoutMarks(unshielded(engine.render(parseOnce(engine, subject), variables)))
    .replace(/\s+/g, ' ')
    .trim();
  const rendered = { subject: title, blocks: readMarkup(engine.render(parseOnce(engine, body), variables)) };
  const revealed = reveal(rendered);
  const content = {
    subject: revealed.subject,
    text: toText(revealed.blocks) + footText(frame),
    html: toHtml(revealed.blocks, revealed.subject, frame),
  };
  const isKeyed = keys !== null && `${content.subject}${content.text}`.includes(keys.word);
  return { ...content, keys: isKeyed ? keys : null };
}

/** What the footer of one mail has beyond that of all. */
type Foot = Partial<Pick<MailFrame, 'unsubscribeUrl' | 'contactOf'>>;

/** The frame of a mail, and the variables that all templates have. */
export function styleOf(
  { settings, logoAt }: Pick<MailStyle, 'settings' | 'logoAt'>,
  { publicUrl, clientUrl }: Pick<Scope, 'publicUrl' | 'clientUrl'>,
  { unsubscribeUrl = null, contactOf = null }: Foot = {},
): { frame: MailFrame; common: CommonVariables } {
  return {
    frame: {
      vendor: settings.vendor_name,
      supportEmail: settings.support_email,
      accent: settings.accent_color,
      // With the time the address changes for each new logo, so that no mail program shows an older one.
      logoUrl: logoAt === null ? null : `${publicUrl}/licenses/api/settings/logo/?v=${Date.parse(logoAt)}`,
      unsubscribeUrl,
      contactOf,
    },
    common: {
      vendor: settings.vendor_name,
      support_email: shownMailAddress(settings.support_email) || null,
      portal_url: settings.portal_enabled ? clientUrl + PORTAL_PATH : null,
    },
  };
}

/** The sender from the settings; empty texts stand for the server's configuration. */
export const senderOf = ({ sender_name, vendor_name, reply_to }: SettingsValues) => ({
  sender_name: sender_name || (vendor_name === SETTINGS_DEFAULTS.vendor_name ? '' : vendor_name),
  reply_to,
});

/** A mail with its sender. `fault`: why the vendor's template could not be used. */
type RenderedMail = RenderedTexts & {
  sender_name: string;
  reply_to: string;
  fault: string | null;
};

/**
 * Renders a mail with the vendor's template. If that fails (the check at saving makes it unlikely), the program's own
 * template is used: no mail is half rendered, and none is dropped.
 */
export async function renderMail(
  { tx, ...urls }: Pick<Scope, 'tx' | 'publicUrl' | 'clientUrl'>,
  kind: MailKind,
  variables: Record<string, unknown>,
  foot: Foot = {},
): Promise<RenderedMail> {
  const style = await readMailStyle(tx, kind);
  const { frame, common } = styleOf(style, urls, foot);
  const all = { ...common, ...shortened(variables, ITEMS_OF[kind] ?? ITEMS_MAX) };
  const form = { fields: variablesOf(kind), frame };
  const own = style.template && (await renderTexts(style.template, all, form).catch(reasonOf));
  const isFault = typeof own === 'string';
  const rendered = own && !isFault ? own : await renderTexts(DEFAULT_TEMPLATES[kind], all, form);
  return {
    ...rendered,
    ...senderOf(style.settings),
    fault: isFault ? own : null,
  };
}

/** The most items of a list in a mail; the counts beside it are complete. */
const ITEMS_MAX = 200;

/** For these mails the whole list: a client would never get a key that is not in the mail. */
const ITEMS_OF: Partial<Record<MailKind, number>> = { licenses_issued: BATCH_MAX };

const shortened = (variables: Record<string, unknown>, most: number) =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, most) : value,
    ]),
  );
