import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { endAfterDays } from '../../../contract/base/time.ts';
import type { LicenseAnswer } from '../../../contract/licenses/license-can.ts';
import type { LicenseAction } from '../../../contract/licenses/license-lifecycle.ts';
import { countsFrom, EXTENSION_DAYS_MAX, isTrial } from '../../../contract/licenses/license-lifecycle.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { mailIsStored, useMailIsStored } from '../../api/email-transport.ts';
import { ClientPicker } from '../../components/client/client-picker.tsx';
import { whatsappOfRenewal } from '../../components/client/whatsapp-link.tsx';
import { ConfirmDiscard } from '../../components/record/confirm-discard.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { type FormFailure, logSaveError } from '../../components/record/form-errors.ts';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';
import { actions } from '../../text/es.ts';
import { lifecycleTexts as texts } from '../../text/es-license-action.ts';
import { LICENSE_ACTION_TEXTS, WHOM_IT_HITS } from '../../text/es-lifecycle.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { businessTimeZoneInUse, formatDate, formatPrice, vendorCurrency } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput, TextArea } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import {
  type ActionValues,
  actionBody,
  actionErrors,
  blankAction,
  renewalBody,
} from './license-action-form.ts';
import { renewalPreviewQuery, useLicenseAction, useUndoRenewal } from './lifecycle.api.ts';
import { RenewalFields } from './renewal-fields.tsx';

interface LicenseActionDialogProps {
  license: LicenseRow;
  action: LicenseAction;
  onClose: () => void;
  finalFocus: ComponentProps<typeof FormDialog>['finalFocus'];
}

/** The dialog of an action on a licence: what it does, what it needs, and how the licence will be (LIFE-05). */
export function LicenseActionDialog({ license, action, onClose, finalFocus }: LicenseActionDialogProps) {
  const words = LICENSE_ACTION_TEXTS[action];
  const whom = WHOM_IT_HITS[action];
  const [blank] = useState(() => blankAction(action));
  const [values, setValues] = useState(blank);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const act = useLicenseAction(license);
  const undo = useUndoRenewal();
  const change = (changes: Partial<ActionValues>) => setValues((now) => ({ ...now, ...changes }));

  const takeBack = async (renewed: LicenseAnswer) => {
    try {
      await undo.mutateAsync(renewed);
      toasts.success(texts.undone, renewed.license_key);
    } catch (error) {
      toasts.error(texts.undoFailed, errorMessage(error));
    }
  };
  const [send, sending] = useOneAtATime(async () => {
    const body = actionBody(action, values);
    const wrong = actionErrors(action, body);
    setErrors(wrong);
    setFailure(null);
    if (Object.keys(wrong).length > 0) return;
    try {
      const changed = await act.mutateAsync({ action, body });
      onClose();
      const said = [
        changed.license_key,
        ...(values.notify && mailIsStored() ? [outboxTexts.stored] : []),
      ].join('. ');
      if (action === 'renew') {
        const undoing = { label: actions.undo, run: () => void takeBack(changed) };
        toasts.success(words.done, said, undoing, whatsappOfRenewal(changed));
      } else toasts.success(words.done, said);
    } catch (error) {
      logSaveError(words.failed, error);
      const named = error instanceof ApiError ? error.fieldErrors : {};
      setErrors(Object.fromEntries(Object.entries(named).map(([field, texts]) => [field, texts.join(' ')])));
      if (Object.keys(named).length === 0) setFailure({ title: words.failed, message: errorMessage(error) });
    }
  });

  const recipient = action === 'transfer' ? (values.client?.email ?? null) : license.client_email;
  const isStored = useMailIsStored();
  const notifyHelp = [
    recipient === null ? texts.chooseClient : texts.notifyTo(recipient),
    ...(isStored ? [outboxTexts.willStore] : []),
  ].join('. ');
  const isDirty = (Object.keys(blank) as (keyof ActionValues)[]).some((name) => values[name] !== blank[name]);
  return (
    <FormDialog
      size="md"
      title={words.title}
      submitLabel={words.submit}
      busyLabel={words.busy}
      submitVariant={whom?.tone === 'critical' ? 'danger' : 'primary'}
      closeLabel={whom ? actions.back : actions.cancel}
      saving={sending}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onClose={() => (isDirty ? setIsAsking(true) : onClose())}
      guard={<ConfirmDiscard open={isAsking} onDiscard={onClose} onKeep={() => setIsAsking(false)} />}
      recovered={false}
      merge={null}
      failure={failure}
      summary={<Summary license={license} action={action} values={values} />}
      finalFocus={finalFocus}
    >
      {whom && (
        <Banner tone={whom.tone} title={whom.title} announce="note">
          {whom.text(license)}
        </Banner>
      )}
      <p className="text-muted">{words.effect}</p>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <ActionFields license={license} action={action} values={values} errors={errors} change={change} />
        {action !== 'reinstate' && (
          <Field
            label={texts.reason}
            required={action === 'extend'}
            help={texts.reasonHelp}
            error={errors.reason}
            wide
          >
            <TextArea
              rows={2}
              value={values.reason}
              onChange={({ target }) => change({ reason: target.value })}
            />
          </Field>
        )}
        <Checkbox
          className="sm:col-span-2"
          label={texts.notify}
          help={notifyHelp}
          checked={values.notify}
          onChange={({ target }) => change({ notify: target.checked })}
        />
      </div>
    </FormDialog>
  );
}

interface ActionFieldsProps {
  license: LicenseRow;
  action: LicenseAction;
  values: ActionValues;
  errors: Record<string, string>;
  change: (changes: Partial<ActionValues>) => void;
}

/** The fields that one action has and others have not. */
function ActionFields({ license, action, values, errors, change }: ActionFieldsProps) {
  switch (action) {
    case 'renew':
      return (
        <RenewalFields
          {...{ values, errors, change }}
          needsType={isTrial(license)}
          currency={license.currency ?? vendorCurrency()}
        />
      );
    case 'extend':
      return (
        <Field label={texts.days} required help={texts.daysHelp} error={errors.days}>
          <NumberInput
            min={1}
            max={EXTENSION_DAYS_MAX}
            inputMode="numeric"
            value={values.days}
            onChange={({ target }) => change({ days: target.value })}
          />
        </Field>
      );
    case 'reinstate':
      if (license.expiry_date === null) return null;
      return (
        <Checkbox
          className="sm:col-span-2"
          label={texts.giveBack}
          help={texts.giveBackHelp}
          checked={values.extend}
          onChange={({ target }) => change({ extend: target.checked })}
        />
      );
    case 'transfer':
      return (
        <>
          <Field label={texts.client} required error={errors.client} wide>
            <ClientPicker value={values.client} onChange={(client) => change({ client })} />
          </Field>
          <Checkbox
            className="sm:col-span-2"
            label={texts.releaseSeats}
            help={texts.releaseSeatsHelp}
            checked={values.release_seats}
            onChange={({ target }) => change({ release_seats: target.checked })}
          />
        </>
      );
    case 'suspend':
    case 'cancel':
    case 'replace_key':
      return null;
  }
}

interface SummaryProps {
  license: LicenseRow;
  action: LicenseAction;
  values: ActionValues;
}

/** How the licence will be: the end and the price of a renewal, the end of an extension. */
function Summary({ license, action, values }: SummaryProps) {
  const body = renewalBody(values);
  const isReady =
    action === 'renew' &&
    Object.keys(actionErrors('renew', body)).length === 0 &&
    !needsType(license, values);
  const { data: renewal, isError } = useQuery(renewalPreviewQuery(license.id, body, isReady));
  if (action === 'extend') {
    return <Facts facts={[[texts.expires, extendedEnd(license, Number(values.days))]]} />;
  }
  if (action !== 'renew') return null;
  const known = isReady && !isError ? renewal : undefined;
  return (
    <Facts
      facts={[
        [texts.starts, known ? formatDate(known.starts) : texts.unknown],
        [texts.expires, known ? formatDate(known.ends) : texts.unknown],
        [texts.price, known ? formatPrice(known.price, known.currency) : texts.unknown],
      ]}
    />
  );
}

const needsType = (license: LicenseRow, values: ActionValues) =>
  isTrial(license) && values.license_type_config === '';

/** The end after an extension: counted from the end while it holds, else from today (LIFE-03). */
function extendedEnd(license: LicenseRow, days: number): string {
  if (license.expiry_date === null || !Number.isInteger(days) || days < 1 || days > EXTENSION_DAYS_MAX)
    return texts.unknown;
  const from = countsFrom({ expiry_date: license.expiry_date }, new Date());
  return formatDate(endAfterDays(from, days, businessTimeZoneInUse()));
}

const Facts = ({ facts }: { facts: [label: string, value: string][] }) => (
  <dl aria-label={texts.summary} className="flex flex-wrap gap-x-6 gap-y-1">
    {facts.map(([label, value]) => (
      <div key={label} className="min-w-0">
        <dt className="text-xs text-muted">{label}</dt>
        <dd className="font-medium">{value}</dd>
      </div>
    ))}
  </dl>
);
