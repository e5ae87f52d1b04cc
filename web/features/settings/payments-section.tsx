import { useQuery } from '@tanstack/react-query';
import type { PaymentSettings } from '../../../contract/payments/payment-settings.ts';
import {
  ACCOUNT_PROVIDERS,
  type AccountProvider,
  PAYMENT_PROVIDER_LABELS,
} from '../../../contract/payments/payment-words.ts';
import { FormPage, FormsTogether } from '../../components/record/form-page.tsx';
import { FormInputs } from '../../components/record/form-section.tsx';
import { RecordState } from '../../components/record/record-state.tsx';
import { useAction } from '../../components/record/use-action.ts';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { apiOf } from '../../record-kinds.ts';
import { paymentSettingsTexts as texts } from '../../text/es-payment-settings.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { toasts } from '../../ui/toasts.ts';
import { AccountsField } from './accounts-field.tsx';
import { ChargingForm } from './charging-form.tsx';
import {
  ACCOUNT_FIELDS,
  CHARGEBACK_FIELDS,
  PAYMENT_FORM,
  type PaymentForm,
  type PaymentPayload,
  paymentSchema,
  TRANSFER_FIELDS,
} from './payment.form.ts';
import { paymentSettingsQuery, testAccount, useSavePaymentSettings } from './payment-settings.api.ts';
import { StoredSettings } from './settings-form.tsx';

const SAVE_TEXTS = {
  created: texts.saved,
  updated: texts.saved,
  createFailed: texts.saveFailed,
  updateFailed: texts.saveFailed,
  failsInForm: true,
};

/**
 * Configuración › 'Pagos': accounts with providers, instructions for bank transfers, and settings of payment requests
 * (PAY-03).
 */
export function PaymentsSection() {
  const stored = useQuery(paymentSettingsQuery);
  return (
    <FormsTogether>
      <div className="space-y-6">
        <RecordState query={stored} texts={texts}>
          {(settings) => <AccountsForm settings={settings} />}
        </RecordState>
        <StoredSettings>{(settings) => <ChargingForm settings={settings} />}</StoredSettings>
      </div>
    </FormsTogether>
  );
}

type AccountsRecord = ReturnType<typeof useAccountsForm>;

function useAccountsForm(settings: PaymentSettings) {
  const save = useSavePaymentSettings();
  return useRecordForm<PaymentForm, PaymentPayload, PaymentSettings>({
    ...PAYMENT_FORM,
    schema: () => paymentSchema,
    // No draft, because it would store tokens in the browser.
    name: null,
    record: settings,
    save: (values, context) => save.mutateAsync({ values, ...context }),
    texts: SAVE_TEXTS,
    stays: true,
  });
}

function AccountsForm({ settings }: { settings: PaymentSettings }) {
  const record = useAccountsForm(settings);
  const { dialog, isDirty, discard, form, change, error } = record;
  return (
    <FormPage
      {...dialog}
      label={texts.form}
      needs="payment_settings.save"
      isDirty={isDirty}
      onDiscard={discard}
    >
      <Banner tone="info">{texts.asks}</Banner>
      <div className="grid items-start gap-4 2xl:grid-cols-2">
        {ACCOUNT_PROVIDERS.map((provider) => (
          <AccountCard key={provider} provider={provider} settings={settings} record={record} />
        ))}
      </div>
      <Card title={texts.transfer}>
        <div className="space-y-5">
          <AccountsField
            value={form.watch('transfer')}
            onChange={(transfer) => change('transfer', transfer)}
            error={error('transfer')}
          />
          <FormInputs fields={TRANSFER_FIELDS} record={record} />
        </div>
      </Card>
      <Card title={texts.chargebackTitle}>
        <FormInputs fields={CHARGEBACK_FIELDS} record={record} />
      </Card>
    </FormPage>
  );
}

const hasToken = (settings: PaymentSettings, provider: AccountProvider) =>
  settings[provider].last_four !== null;

interface AccountCardProps {
  provider: AccountProvider;
  settings: PaymentSettings;
  record: AccountsRecord;
}

/** The account with a provider: its fields, and the notification address to enter at the provider. */
function AccountCard({ provider, settings, record }: AccountCardProps) {
  const { last_four, has_webhook_secret } = settings[provider];
  const isStored = hasToken(settings, provider);
  const fields = ACCOUNT_FIELDS[provider];
  return (
    <Card title={PAYMENT_PROVIDER_LABELS[provider]} action={<Mode provider={provider} settings={settings} />}>
      <div className="space-y-5">
        <FormInputs
          fields={fields}
          record={record}
          now={{
            [provider]: isStored ? { help: texts.keeps(last_four ?? '') } : {},
            [`${provider}_secret`]: has_webhook_secret ? { help: texts.keepsSecret } : {},
            [`${provider}_forget`]: isStored || has_webhook_secret ? {} : { instead: null },
          }}
        />
        <Facts columns={1}>
          <Fact label={texts.account}>
            <AccountName provider={provider} settings={settings} />
          </Fact>
          <Fact label={texts.notifyAddress}>
            <Copyable text={notifyAddress(provider)} label={texts.copy} copiedLabel={texts.copied}>
              <span className="font-mono text-xs">{notifyAddress(provider)}</span>
            </Copyable>
            <span className="block text-xs text-muted">
              {texts.notifyHelp(PAYMENT_PROVIDER_LABELS[provider])}
            </span>
          </Fact>
        </Facts>
        {isStored && <TestButton provider={provider} isDirty={record.isDirty} />}
      </div>
    </Card>
  );
}

/** The address for the provider's notifications, at this server's public URL (PAY-04). */
const notifyAddress = (provider: AccountProvider) =>
  `${window.location.origin}${apiOf('payments')}${provider}/notify/`;

function Mode({ provider, settings }: Pick<AccountCardProps, 'provider' | 'settings'>) {
  if (!hasToken(settings, provider)) return <Badge tone="neutral">{texts.noAccount}</Badge>;
  return settings[provider].test ? (
    <Badge tone="warning">{texts.testMode}</Badge>
  ) : (
    <Badge tone="success">{texts.liveMode}</Badge>
  );
}

function AccountName({ provider, settings }: Pick<AccountCardProps, 'provider' | 'settings'>) {
  const { account, currency } = settings[provider];
  if (account === null) return <span className="text-muted">{texts.noAccount}</span>;
  return [account, currency].filter(Boolean).join(' · ');
}

function TestButton({ provider, isDirty }: { provider: AccountProvider; isDirty: boolean }) {
  const [test, testing] = useAction(texts.testFailed, async () => {
    const { account, currency } = await testAccount(provider);
    toasts.success(texts.testDone, texts.testDoneText(account ?? '', currency ?? ''));
  });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button busy={testing} busyLabel={texts.testing} disabled={isDirty} onClick={test}>
        {texts.test}
      </Button>
      {isDirty && <p className="text-xs text-muted">{texts.testHint}</p>}
    </div>
  );
}
