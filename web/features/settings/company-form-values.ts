import { z } from 'zod';
import { type Currency, type SettingsAnswer, settingsUpdate } from '../../../contract/system/settings.ts';
import { type COMPANY_LABELS, CURRENCY_LABELS, LOCALE_LABELS } from '../../text/es-settings.ts';

/** The form of 'Empresa': every value is a text. */
export type CompanyForm = Record<keyof typeof COMPANY_LABELS, string>;

export function companyToForm(settings: SettingsAnswer): CompanyForm {
  const { vendor_name, support_email, accent_color, sender_name, reply_to, currency, locale } = settings;
  return { vendor_name, support_email, accent_color, sender_name, reply_to, currency, locale };
}

/** Form texts in, payload out, by the contract's own rules. */
export const companySchema = z
  .custom<CompanyForm>()
  .transform((form): unknown => form)
  .pipe(
    settingsUpdate.pick({
      vendor_name: true,
      support_email: true,
      accent_color: true,
      sender_name: true,
      reply_to: true,
      currency: true,
      locale: true,
    }),
  );
export type CompanyPayload = z.output<typeof companySchema>;

/** A form value as text, for the questions about conflicts. */
export function showCompanyValue(field: string, value: unknown): string {
  // The selects have only these values.
  if (field === 'currency') return CURRENCY_LABELS[value as Currency];
  if (field === 'locale') return LOCALE_LABELS[value as keyof typeof LOCALE_LABELS];
  return String(value ?? '');
}
