import { DEFAULT_CURRENCY } from '../../../contract/base/limits.ts';
import { SETTINGS_LABELS as LABELS } from '../../../contract/settings/settings.fields.ts';
import { settingsUpdate } from '../../../contract/settings/settings.ts';
import { formOf, select, special, text } from '../../components/record/form-fields.ts';
import { schemaOf } from '../../components/record/form-schema.ts';
import { CURRENCY_LABELS, companyTexts, LOCALE_LABELS } from '../../text/es-settings.ts';

/** The fields of 'Empresa' from top to bottom by card. */
export const COMPANY_CARDS = {
  identity: {
    vendor_name: text(LABELS.vendor_name, { required: true, props: { autoComplete: 'organization' } }),
    support_email: text(LABELS.support_email, { help: companyTexts.supportHelp, props: { type: 'email' } }),
  },
  receipt: {
    legal_name: text(LABELS.legal_name, {
      help: companyTexts.legalHelp,
      props: { autoComplete: 'organization' },
    }),
    tax_id: text(LABELS.tax_id, { props: { autoComplete: 'off', spellCheck: false } }),
    address: text(LABELS.address, { wide: true, props: { autoComplete: 'street-address' } }),
  },
  look: {
    accent_color: special<string, string>(LABELS.accent_color, {
      blank: '',
      read: ({ accent_color }: { accent_color: string }) => accent_color,
      write: (color) => color,
    }),
  },
  mail: {
    sender_name: text(LABELS.sender_name, { help: companyTexts.senderHelp }),
    reply_to: text(LABELS.reply_to, { help: companyTexts.replyHelp, props: { type: 'email' } }),
  },
  formats: {
    currency: select(LABELS.currency, CURRENCY_LABELS, {
      blank: DEFAULT_CURRENCY,
      help: companyTexts.currencyHelp,
    }),
    locale: select(LABELS.locale, LOCALE_LABELS, { blank: 'es-MX' }),
  },
};

const FIELDS = {
  ...COMPANY_CARDS.identity,
  ...COMPANY_CARDS.receipt,
  ...COMPANY_CARDS.look,
  ...COMPANY_CARDS.mail,
  ...COMPANY_CARDS.formats,
};

export const COMPANY_FORM = formOf(FIELDS);

export const companySchema = schemaOf(FIELDS, settingsUpdate);
