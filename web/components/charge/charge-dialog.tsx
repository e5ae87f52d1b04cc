import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { daysBetween, localDay } from '../../../contract/base/time.ts';
import { isTrial, type RenewalPreview } from '../../../contract/licenses/license-lifecycle.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { PAYMENT_LIMITS } from '../../../contract/payments/payment-words.ts';
import { actions } from '../../text/es.ts';
import { lifecycleTexts } from '../../text/es-license-action.ts';
import { paymentTexts, chargeTexts as texts } from '../../text/es-payments.ts';
import { businessTimeZoneInUse, formatDate, formatMoney, formatPrice } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Code } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-input.tsx';
import { LengthField } from '../license/length-field.tsx';
import { lengthText, monthsFound, unitOf } from '../license/term-length.ts';
import { PaymentLink } from '../payment/payment-link.tsx';
import { RequestLink } from '../payment/request-link.tsx';
import { licenseTypesQuery } from '../record/catalogue-queries.ts';
import { ConfirmDiscard } from '../record/confirm-discard.tsx';
import { FormDialog } from '../record/form-dialog.tsx';
import { useLeaveGuard } from '../record/leave-guard.tsx';
import { chargeRefusal } from './charge-lines.ts';
import { useChargeForm } from './use-charge-form.ts';
import { useVendorName, VendorNameField } from './vendor-name.tsx';

interface ChargeDialogProps {
  /** If they are of several clients or currencies, the dialog explains that they cannot be charged together. */
  licenses: readonly LicenseRow[];
  onClose: () => void;
  finalFocus: ComponentProps<typeof FormDialog>['finalFocus'];
}

/** 'Cobrar': requests payment for the renewal of some licences from their client, and then shows the link (PAY-07). */
export function ChargeDialog({ licenses, onClose, finalFocus }: ChargeDialogProps) {
  const [made, setMade] = useState<{ request: PaymentRequest; isSent: boolean } | null>(null);
  const [first] = licenses;
  if (made !== null && first !== undefined) {
    return <Created {...made} license={first} onClose={onClose} finalFocus={finalFocus} />;
  }
  const refusal = chargeRefusal(licenses);
  if (refusal !== null) {
    return <ChargeRefused reason={refusal} onClose={onClose} finalFocus={finalFocus} />;
  }
  return (
    <ChargeForm
      licenses={licenses}
      onCreated={(request, isSent) => setMade({ request, isSent })}
      onClose={onClose}
      finalFocus={finalFocus}
    />
  );
}

const titleOf = (count: number) => (count === 1 ? texts.title : texts.titleMany(count));

interface RefusedProps extends Pick<ChargeDialogProps, 'onClose' | 'finalFocus'> {
  reason: string;
}

/** Explains why the chosen licences cannot be charged together. */
export const ChargeRefused = ({ reason, onClose, finalFocus }: RefusedProps) => (
  <Dialog
    open
    size="sm"
    title={texts.refusedTitle}
    onClose={onClose}
    finalFocus={finalFocus}
    footer={<Button onClick={onClose}>{actions.close}</Button>}
  >
    <Banner tone="warning" announce="note">
      {reason}
    </Banner>
  </Dialog>
);

interface ChargeFormProps extends ChargeDialogProps {
  onCreated: (made: PaymentRequest, isSent: boolean) => void;
}

function ChargeForm({ licenses, onCreated, onClose, finalFocus }: ChargeFormProps) {
  const vendor = useVendorName();
  const form = useChargeForm(licenses, onCreated, vendor);
  const { values, errors, change, refill, isDirty } = form;
  const [isAsking, setIsAsking] = useState(false);
  const guard = useLeaveGuard(isDirty, { ofPath: true });
  const [first] = licenses;
  return (
    <FormDialog
      size="md"
      title={titleOf(licenses.length)}
      submitLabel={texts.submit}
      busyLabel={texts.busy}
      saving={form.sending}
      onSubmit={(event) => {
        event.preventDefault();
        void form.send(event.currentTarget);
      }}
      onClose={() => (isDirty ? setIsAsking(true) : onClose())}
      guard={
        <>
          {guard.dialog}
          <ConfirmDiscard open={isAsking} onDiscard={onClose} onKeep={() => setIsAsking(false)} />
        </>
      }
      failure={form.failure}
      summary={<Total form={form} />}
      finalFocus={finalFocus}
    >
      {form.standing !== null && (
        <Banner tone="info" announce="note">
          <RequestLink id={form.standing}>{paymentTexts.see_one}</RequestLink>
        </Banner>
      )}
      {errors.lines && (
        <Banner tone="critical" announce="alert">
          {errors.lines}
        </Banner>
      )}
      <p className="text-muted">{licenses.length === 1 ? texts.lead : texts.leadMany}</p>
      <VendorNameField of={vendor} />
      {licenses.length === 1 && first ? <Terms license={first} form={form} /> : <Lines form={form} />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label={texts.tax}
          help={form.tax === null ? texts.taxOfSettings : texts.taxHelp}
          error={errors.tax}
        >
          <NumberInput
            unit="percent"
            min={0}
            max={PAYMENT_LIMITS.taxMax}
            value={values.tax ?? form.tax ?? ''}
            onChange={({ target }) => change({ tax: target.value })}
            onBlur={refill('tax')}
          />
        </Field>
        <Field label={texts.expires} help={texts.expiresHelp} error={errors.expires}>
          <NumberInput
            unit="count"
            min={PAYMENT_LIMITS.daysMin}
            max={PAYMENT_LIMITS.daysMax}
            value={values.expires}
            onChange={({ target }) => change({ expires: target.value })}
          />
        </Field>
        <Field label={texts.note} help={texts.noteHelp} error={errors.note} wide>
          <TextArea rows={2} value={values.note} onChange={({ target }) => change({ note: target.value })} />
        </Field>
        <Checkbox
          className="sm:col-span-2"
          label={texts.notify}
          help={first && texts.notifyTo(first.client_email_shown ?? first.client_email)}
          checked={values.notify}
          onChange={({ target }) => change({ notify: target.checked })}
        />
      </div>
    </FormDialog>
  );
}

type Form = ReturnType<typeof useChargeForm>;

/** The terms of one licence. The fields show the computed values until others are typed. */
function Terms({
  license,
  form: { values, errors, change, refill, lines, currency, mayRenew },
}: {
  license: LicenseRow;
  form: Form;
}) {
  const { data: types = [] } = useQuery(licenseTypesQuery());
  const [line] = lines;
  const known = line?.preview;
  const chosen = types.find(({ id }) => String(id) === values.type);
  const unit = values.unit ?? chosen?.currency ?? currency ?? license.currency;
  const needsType = isTrial(license);
  const months = monthsFound(license, chosen, types);
  const lengthUnit = values.lengthUnit ?? unitOf(months);
  const length = values.days ?? (known ? lengthText(daysOf(known), months) : '');
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label={texts.type} required={needsType} error={errors.type} wide>
        <Select
          value={values.type}
          // Another type has other terms, so price and days are reset.
          onChange={({ target }) =>
            change({ type: target.value, price: null, unit: null, days: null, lengthUnit: null })
          }
          none={needsType ? texts.chooseType : texts.sameType}
          choices={types.filter(({ is_active }) => is_active).map(({ id, name }) => [id, name])}
        />
      </Field>
      {mayRenew && (
        <>
          <Field
            label={texts.price}
            help={license.complimentary && values.type === '' && lifecycleTexts.afterCourtesy}
            error={errors.price}
          >
            <NumberInput
              unit={unit}
              placeholder={texts.unknown}
              value={values.price ?? known?.price ?? ''}
              onChange={({ target }) => change({ price: target.value, unit })}
              onBlur={refill('price')}
            />
          </Field>
          <LengthField
            label={texts.days}
            error={errors.days}
            text={length}
            unit={lengthUnit}
            onLength={(days, next) => change({ days, lengthUnit: next })}
          >
            <NumberInput
              unit="count"
              min={1}
              placeholder={texts.unknown}
              value={length}
              onChange={({ target }) => change({ days: target.value, lengthUnit })}
              onBlur={refill('days')}
            />
          </LengthField>
        </>
      )}
      {line?.error && (
        <Banner tone="warning" announce="status" className="sm:col-span-2">
          {line.error}
        </Banner>
      )}
    </div>
  );
}

/** The number of days that a renewal adds. */
function daysOf({ starts, ends }: RenewalPreview): number {
  const zone = businessTimeZoneInUse();
  return daysBetween(localDay(starts, zone), localDay(ends, zone));
}

/** Several licences, each with its price and new end, or why it cannot be charged. */
const Lines = ({ form: { lines } }: { form: Form }) => (
  <ul aria-label={texts.lines} className="divide-y divide-border rounded-lg border border-border">
    {lines.map(({ license, preview, error }) => (
      <li key={license.id} className="flex items-start justify-between gap-4 px-3 py-2">
        <div className="min-w-0">
          <Code className="wrap-anywhere">{license.license_key}</Code>
          <p className="text-xs text-muted">{`${license.software_name} ${license.software_version}`}</p>
          {error && <p className="text-xs text-warning-text">{`${texts.refusedLine}: ${error}`}</p>}
        </div>
        <div className="shrink-0 text-right">
          <p>{preview ? formatMoney(preview.price, preview.currency) : texts.unknown}</p>
          <p className="text-xs text-muted">{preview && `${texts.newEnd} ${formatDate(preview.ends)}`}</p>
        </div>
      </li>
    ))}
  </ul>
);

/** The amount that the client must pay. If the person may not read the tax setting, it is the amount before tax. */
function Total({ form: { lines, totals, tax, currency } }: { form: Form }) {
  const [only] = lines;
  const facts: [label: string, value: string][] = [
    ...(lines.length === 1
      ? [[texts.newEnd, only?.preview ? formatDate(only.preview.ends) : texts.unknown] as [string, string]]
      : []),
    ...(totals !== null && currency !== undefined && tax !== null && tax > 0
      ? ([
          [paymentTexts.subtotal, formatMoney(totals.subtotal, currency)],
          [paymentTexts.tax(tax), formatMoney(totals.tax, currency)],
        ] as [string, string][])
      : []),
    [
      tax === null ? texts.beforeTax : paymentTexts.total,
      totals !== null && currency !== undefined ? formatPrice(totals.total, currency) : texts.unknown,
    ],
  ];
  return (
    <dl aria-label={paymentTexts.total} className="flex flex-wrap gap-x-6 gap-y-1">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface CreatedProps extends Pick<ChargeDialogProps, 'onClose' | 'finalFocus'> {
  request: PaymentRequest;
  /** True if the link is sent by mail. */
  isSent: boolean;
  license: LicenseRow;
}

/** Shows the link of the new request, to copy or send it. */
const Created = ({ request, isSent, license, onClose, finalFocus }: CreatedProps) => (
  <Dialog
    open
    size="md"
    title={texts.created}
    onClose={onClose}
    finalFocus={finalFocus}
    footer={
      <>
        <RequestLink id={request.id} look="button" onClick={onClose}>
          {paymentTexts.see_one}
        </RequestLink>
        <Button variant="primary" onClick={onClose}>
          {actions.close}
        </Button>
      </>
    }
  >
    <div role="status" className="space-y-1">
      <p className="text-2xl font-semibold">{formatPrice(request.amount, request.currency)}</p>
      <p className="text-muted">{paymentTexts.until(request.expires_at)}</p>
    </div>
    <p>
      {isSent ? texts.createdSent(license.client_email_shown ?? license.client_email) : texts.createdQuiet}
    </p>
    <PaymentLink request={request} phone={license.client_phone} />
  </Dialog>
);
