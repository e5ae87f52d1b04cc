import { type FormEvent, type ReactNode, useState } from 'react';
import { CLIENT_DEFAULTS, UNSPECIFIED } from '../../contract/base/limits.ts';
import { TAX_WORDS } from '../../contract/clients/tax-words.ts';
import type { PortalClient, PortalMe, PortalMeSaved, PortalMeUpdate } from '../../contract/portal/portal.ts';
import { portalAccountTexts as texts } from '../text/es-portal-licenses.ts';
import { Banner, Failure } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { call } from './call.ts';
import { Line } from './license-parts.tsx';
import { Page } from './page.tsx';
import { useSession } from './session.ts';
import { Submit } from './submit.tsx';
import { useWork } from './use-work.ts';

/** The fields of the client's data that the client can change (PORTAL-04). */
const TEXT_FIELDS = ['contact_person', 'phone', 'tax_id', 'postal_code'] as const;
const TAX_FIELDS = ['tax_regime', 'cfdi_use', 'tax_condition'] as const;
type FieldName = (typeof TEXT_FIELDS)[number] | (typeof TAX_FIELDS)[number];
type Form = Record<FieldName, string> & { reminders: boolean };

/** Placeholders for missing values are shown to the client as blank. */
const isNothing = (value: string) => value === UNSPECIFIED || value === CLIENT_DEFAULTS.postal_code;
const known = (value: string) => (isNothing(value) ? '' : value);

const formOf = (client: PortalClient): Form => ({
  contact_person: known(client.contact_person),
  phone: client.phone,
  tax_id: client.tax_id,
  postal_code: known(client.postal_code),
  tax_regime: client.tax_regime,
  cfdi_use: client.cfdi_use,
  tax_condition: client.tax_condition,
  reminders: client.reminders,
});

/** Only changed fields are sent, because the server refuses fields whose feature is switched off. */
const changesOf = (form: Form, client: PortalClient): PortalMeUpdate =>
  Object.fromEntries(
    Object.entries(form).filter(([name, value]) => value !== formOf(client)[name as keyof Form]),
  );

interface MyDataProps {
  onSaved: () => void;
  onSignedOut: () => void;
}

/** 'Mis datos': the client's data and sessions. */
export function MyData({ onSaved, onSignedOut }: MyDataProps) {
  const { me, readOnly } = useSession();
  if (me.client === null) return null;
  return (
    <Page title={texts.title}>
      <Card>
        <dl className="space-y-4">
          <Line label={texts.name}>
            <bdi>{me.client.name}</bdi>
          </Line>
          {known(me.client.company) !== '' && <Line label={texts.company}>{me.client.company}</Line>}
          <Line label={texts.email}>{me.client.email_shown ?? me.client.email}</Line>
        </dl>
        <p className="mt-4 text-muted">{texts.fixed}</p>
      </Card>
      {(me.features.tax_data || me.features.reminders) && (
        <DataForm client={me.client} features={me.features} disabled={readOnly} onSaved={onSaved} />
      )}
      {!readOnly && <Sessions onSignedOut={onSignedOut} />}
    </Page>
  );
}

interface DataFormProps {
  client: PortalClient;
  features: PortalMe['features'];
  disabled: boolean;
  onSaved: () => void;
}

/** The fields that can be changed. Those of features that are switched off are not shown. */
export function DataForm({ client, features, disabled, onSaved }: DataFormProps) {
  const { busy, error, run } = useWork();
  const [form, setForm] = useState(formOf(client));
  const [saved, setSaved] = useState<PortalMeSaved | null>(null);
  const change = (name: keyof Form, value: string | boolean) => {
    setSaved(null);
    setForm((before) => ({ ...before, [name]: value }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const answer = await call<PortalMeSaved>('me/', { method: 'PATCH', body: changesOf(form, client) });
      setForm(formOf(answer.client));
      setSaved(answer);
      onSaved();
    });
  };
  const errorOf = (name: keyof Form) => error?.fieldErrors[name]?.[0];
  const text = (name: (typeof TEXT_FIELDS)[number], props: object = {}, warning: string | null = null) => (
    <Field label={texts[name]} error={errorOf(name)} warning={warning}>
      <TextInput
        {...props}
        value={form[name]}
        onChange={({ target }) => change(name, target.value)}
        className="h-12 text-base"
      />
    </Field>
  );
  const isForm = Object.keys(error?.fieldErrors ?? {}).length > 0;
  return (
    <form noValidate onSubmit={submit}>
      <fieldset disabled={disabled} className="space-y-5">
        {features.tax_data && (
          <>
            <Card title={texts.contact}>
              <Stack>
                {text('contact_person', { autoComplete: 'name' })}
                {text('phone', { type: 'tel', autoComplete: 'tel' }, saved?.warnings?.phone?.[0] ?? null)}
              </Stack>
            </Card>
            <Card title={texts.invoice}>
              <Stack>
                {text(
                  'tax_id',
                  { autoComplete: 'off', spellCheck: false },
                  saved?.warnings?.tax_id?.[0] ?? null,
                )}
                {text('postal_code', { autoComplete: 'postal-code' })}
                {taxFieldsOf(client).map((name) => (
                  <Field key={name} label={texts[name]} error={errorOf(name)}>
                    <Select
                      value={form[name]}
                      onChange={({ target }) => change(name, target.value)}
                      none={texts.unspecified}
                      choices={Object.entries(TAX_WORDS[name])}
                      className="h-12 text-base"
                    />
                  </Field>
                ))}
              </Stack>
            </Card>
          </>
        )}
        {features.reminders && (
          <Card>
            <Checkbox
              label={texts.reminders}
              checked={form.reminders}
              onChange={({ target }) => change('reminders', target.checked)}
            />
          </Card>
        )}
        <Failure text={error && !isForm ? error.message : null} />
        <div role="status" className="empty:hidden">
          {saved && <Banner tone="success">{texts.saved}</Banner>}
        </div>
        {!disabled && (
          <Submit busy={busy} busyLabel={texts.saving}>
            {texts.save}
          </Submit>
        )}
      </fieldset>
    </form>
  );
}

const Stack = ({ children }: { children: ReactNode }) => <div className="space-y-4">{children}</div>;

/**
 * The tax fields for invoices in the client's country, which is derived from the phone number. Fields with a stored
 * value are always shown.
 */
function taxFieldsOf(client: PortalClient) {
  const asked = client.phone.startsWith('+54')
    ? ['tax_condition']
    : client.phone.startsWith('+52')
      ? ['tax_regime', 'cfdi_use']
      : [];
  return TAX_FIELDS.filter((name) => asked.includes(name) || client[name] !== '');
}

function Sessions({ onSignedOut }: { onSignedOut: () => void }) {
  const { busy, error, run } = useWork();
  const signOut = () =>
    run(() => call('sign-out/', { method: 'POST', body: { all: true } }).then(onSignedOut));
  return (
    <Card title={texts.sessions}>
      <p className="mb-3 text-muted">{texts.everywhereHint}</p>
      <Button size="lg" busy={busy} onClick={signOut} className="w-full">
        {texts.everywhere}
      </Button>
      <Failure text={error?.message ?? null} />
    </Card>
  );
}
