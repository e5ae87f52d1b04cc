import { useQuery } from '@tanstack/react-query';
import {
  CURRENCIES,
  contrastToWhite,
  isReadableOnWhite,
  LOCALES,
  type SettingsAnswer,
} from '../../../contract/system/settings.ts';
import { FormPage } from '../../components/record/form-page.tsx';
import { RecordState } from '../../components/record/record-state.tsx';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { settingsQuery, useSaveSettings } from '../../components/settings/settings.api.ts';
import {
  CURRENCY_LABELS,
  companyTexts,
  contrastText,
  COMPANY_LABELS as LABELS,
  LOCALE_LABELS,
  settingsTexts,
} from '../../text/es-settings.ts';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import {
  type CompanyForm,
  type CompanyPayload,
  companySchema,
  companyToForm,
  showCompanyValue,
} from './company-form-values.ts';
import { LogoField } from './logo-field.tsx';
import { MailPreview } from './mail-preview.tsx';
import { SETTINGS_SAVE_TEXTS } from './settings-save-texts.ts';

/** 'Empresa': how clients see the vendor (MAIL-03). */
export function CompanySection() {
  const settings = useQuery(settingsQuery);
  return (
    <RecordState query={settings} texts={settingsTexts}>
      {(stored) => <CompanyFields settings={stored} />}
    </RecordState>
  );
}

const GRID = 'grid items-start gap-4 sm:grid-cols-2';
const COLOR = /^#[0-9a-f]{6}$/i;

function CompanyFields({ settings }: { settings: SettingsAnswer }) {
  const save = useSaveSettings();
  const { form, field, change, error, dialog, isDirty, discard } = useRecordForm<
    CompanyForm,
    CompanyPayload,
    SettingsAnswer
  >({
    schema: () => companySchema,
    name: 'settings/empresa',
    labels: LABELS,
    record: settings,
    blank: companyToForm(settings),
    toForm: companyToForm,
    save: (values, context) => save.mutateAsync({ values, ...context }),
    texts: SETTINGS_SAVE_TEXTS,
    show: showCompanyValue,
    stays: true,
  });
  const typed = form.watch();
  const color = typed.accent_color.trim();
  const isColor = COLOR.test(color);
  return (
    <FormPage
      {...dialog}
      label={settingsTexts.title}
      needs="settings.save"
      isDirty={isDirty}
      onDiscard={discard}
    >
      <Card title={companyTexts.identity}>
        <div className={GRID}>
          <Field label={LABELS.vendor_name} required error={error('vendor_name')}>
            <TextInput {...field('vendor_name')} autoComplete="organization" />
          </Field>
          <Field label={LABELS.support_email} error={error('support_email')} help={companyTexts.supportHelp}>
            <TextInput {...field('support_email')} type="email" autoComplete="off" />
          </Field>
        </div>
      </Card>
      <Card title={companyTexts.look}>
        <div className="grid items-start gap-x-8 gap-y-5 xl:grid-cols-2">
          <div className="space-y-5">
            <LogoField storedAt={settings.logo_updated_at} />
            <Field
              label={LABELS.accent_color}
              error={error('accent_color')}
              help={
                isColor && (
                  <span aria-live="polite">
                    {contrastText(contrastToWhite(color), isReadableOnWhite(color))}
                  </span>
                )
              }
            >
              <div className="flex gap-2">
                <input
                  type="color"
                  aria-label={companyTexts.pickColor}
                  value={isColor ? color.toLowerCase() : '#000000'}
                  onChange={({ target }) => change('accent_color', target.value)}
                  className="h-9 w-12 shrink-0 rounded-lg border border-border-strong bg-surface p-1 pointer-coarse:h-11"
                />
                <TextInput
                  {...field('accent_color')}
                  autoComplete="off"
                  spellCheck={false}
                  className="max-w-40 font-mono"
                />
              </div>
            </Field>
          </div>
          <MailPreview
            name={typed.vendor_name.trim()}
            supportEmail={typed.support_email.trim()}
            color={isColor ? color : settings.accent_color}
            logoStoredAt={settings.logo_updated_at}
          />
        </div>
      </Card>
      <Card title={companyTexts.mail}>
        <div className={GRID}>
          <Field label={LABELS.sender_name} error={error('sender_name')} help={companyTexts.senderHelp}>
            <TextInput {...field('sender_name')} placeholder={typed.vendor_name} autoComplete="off" />
          </Field>
          <Field label={LABELS.reply_to} error={error('reply_to')} help={companyTexts.replyHelp}>
            <TextInput {...field('reply_to')} type="email" autoComplete="off" />
          </Field>
        </div>
      </Card>
      <Card title={companyTexts.formats}>
        <div className={GRID}>
          <Field label={LABELS.currency} error={error('currency')} help={companyTexts.currencyHelp}>
            <Select {...field('currency')}>
              {CURRENCIES.map((currency) => (
                <option key={currency} value={currency}>
                  {CURRENCY_LABELS[currency]}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={LABELS.locale} error={error('locale')}>
            <Select {...field('locale')}>
              {LOCALES.map((locale) => (
                <option key={locale} value={locale}>
                  {LOCALE_LABELS[locale]}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      </Card>
    </FormPage>
  );
}
