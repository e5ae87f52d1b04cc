import {
  contrastToWhite,
  isReadableOnWhite,
  SETTINGS_LABELS as LABELS,
} from '../../../contract/settings/settings.fields.ts';
import type { SettingsAnswer } from '../../../contract/settings/settings.ts';
import { FormInputs } from '../../components/record/form-section.tsx';
import { companyTexts, contrastText } from '../../text/es-settings.ts';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { COMPANY_CARDS, COMPANY_FORM, companySchema } from './company.form.ts';
import { LogoField } from './logo-field.tsx';
import { MailPreview } from './mail-preview.tsx';
import { SettingsForm, StoredSettings, useSettingsForm } from './settings-form.tsx';

/** 'Empresa': the vendor's data that clients see (MAIL-03). */
export const CompanySection = () => (
  <StoredSettings>{(stored) => <CompanyFields settings={stored} />}</StoredSettings>
);

const GRID = 'grid items-start gap-4 sm:grid-cols-2';
const COLOR = /^#[0-9a-f]{6}$/i;

function CompanyFields({ settings }: { settings: SettingsAnswer }) {
  const record = useSettingsForm(settings, {
    ...COMPANY_FORM,
    schema: () => companySchema,
    name: 'settings/empresa',
  });
  const { form, field, change, error } = record;
  const typed = form.watch();
  const color = typed.accent_color.trim();
  const isColor = COLOR.test(color);
  return (
    <SettingsForm record={record}>
      <Card title={companyTexts.identity}>
        <div className={GRID}>
          <FormInputs fields={COMPANY_CARDS.identity} record={record} />
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
      <Card title={companyTexts.receipt}>
        <div className={GRID}>
          <FormInputs fields={COMPANY_CARDS.receipt} record={record} />
        </div>
      </Card>
      <Card title={companyTexts.mail}>
        <div className={GRID}>
          <FormInputs
            fields={COMPANY_CARDS.mail}
            record={record}
            now={{ sender_name: { props: { placeholder: typed.vendor_name } } }}
          />
        </div>
      </Card>
      <Card title={companyTexts.formats}>
        <div className={GRID}>
          <FormInputs fields={COMPANY_CARDS.formats} record={record} />
        </div>
      </Card>
    </SettingsForm>
  );
}
