import type { Template } from 'liquidjs';
import { BATCH_MAX } from '../../../contract/licenses/licenses.ts';
import type { MailKind, MailPreview } from '../../../contract/mail/mails.ts';
import { SETTINGS_DEFAULTS, type SettingsValues } from '../../../contract/system/settings.ts';
import { reasonOf } from '../../lib/reason-of.ts';
import type { Scope } from '../../scope.ts';
import { DEFAULT_TEMPLATES, type TemplateTexts } from './default-templates.ts';
import { footText, type MailFrame, toHtml } from './mail-html.ts';
import { readMarkup, toText } from './mail-markup.ts';
import { type MailStyle, readMailStyle } from './mail-templates.queries.ts';
import { type Fields, variablesOf } from './mail-variables.ts';
import { hideOneTime } from './one-time-values.ts';
import { type Engine, templateEngine, unshielded } from './template-engine.ts';

/** Parsed templates by their text; the bound is above the number of kinds in use. */
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

/**
 * Renders both texts of a template.
 * @param fields the description of the variables: it says which of them let somebody in
 * @throws LiquidError with the token at fault; MisusedLink
 */
export async function renderTexts(
  { subject, body }: TemplateTexts,
  values: Record<string, unknown>,
  { fields, frame }: { fields: Fields; frame: MailFrame },
): Promise<MailPreview> {
  const engine = await templateEngine();
  const { variables, reveal } = hideOneTime(fields, values);
  const title = unshielded(engine.render(parseOnce(engine, subject), variables))
    .replace(/\s+/g, ' ')
    .trim();
  const rendered = { subject: title, blocks: readMarkup(engine.render(parseOnce(engine, body), variables)) };
  const revealed = reveal(rendered);
  return {
    subject: revealed.subject,
    text: toText(revealed.blocks) + footText(frame),
    html: toHtml(revealed.blocks, revealed.subject, frame),
  };
}

/** The frame of a mail, and the variables that every template has. */
export function styleOf(
  { settings, logoAt }: Pick<MailStyle, 'settings' | 'logoAt'>,
  publicUrl: string,
  unsubscribeUrl: string | null = null,
): { frame: MailFrame; common: { vendor: string; support_email: string | null } } {
  return {
    frame: {
      vendor: settings.vendor_name,
      supportEmail: settings.support_email,
      accent: settings.accent_color,
      // The time changes the address, so that no mail program shows an older picture.
      logoUrl: logoAt === null ? null : `${publicUrl}/licenses/api/settings/logo/?v=${Date.parse(logoAt)}`,
      unsubscribeUrl,
    },
    common: { vendor: settings.vendor_name, support_email: settings.support_email || null },
  };
}

/** The sender as the settings name it; empty texts are those of the server's configuration. */
export const senderOf = ({ sender_name, vendor_name, reply_to }: SettingsValues) => ({
  sender_name: sender_name || (vendor_name === SETTINGS_DEFAULTS.vendor_name ? '' : vendor_name),
  reply_to,
});

/** A mail as the outbox stores it; `fault` says why the vendor's template could not be used. */
export type RenderedMail = {
  subject: string;
  body_html: string;
  body_text: string;
  sender_name: string;
  reply_to: string;
  fault: string | null;
};

/**
 * Renders a mail with the vendor's template. Where that fails, which the check at its saving rules out as far as it
 * can, the program's own is sent: nothing is sent half rendered, and nothing is left unsent.
 */
export async function renderMail(
  { tx, publicUrl }: Pick<Scope, 'tx' | 'publicUrl'>,
  kind: MailKind,
  variables: Record<string, unknown>,
  unsubscribeUrl: string | null,
): Promise<RenderedMail> {
  const style = await readMailStyle(tx, kind);
  const { frame, common } = styleOf(style, publicUrl, unsubscribeUrl);
  const all = { ...common, ...shortened(variables, ITEMS_OF[kind] ?? ITEMS_MAX) };
  const form = { fields: variablesOf(kind), frame };
  const own = style.template && (await renderTexts(style.template, all, form).catch(reasonOf));
  const isFault = typeof own === 'string';
  const rendered = own && !isFault ? own : await renderTexts(DEFAULT_TEMPLATES[kind], all, form);
  return {
    subject: rendered.subject,
    body_html: rendered.html,
    body_text: rendered.text,
    ...senderOf(style.settings),
    fault: isFault ? own : null,
  };
}

/** The most items of a list in a mail; the counts beside it say how many there are. */
const ITEMS_MAX = 200;

/** A key that is not in the mail would be lost for its client. */
const ITEMS_OF: Partial<Record<MailKind, number>> = { licenses_issued: BATCH_MAX };

const shortened = (variables: Record<string, unknown>, most: number) =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, most) : value,
    ]),
  );
