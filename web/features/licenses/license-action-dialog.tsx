import { type ComponentProps, useState } from 'react';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { commonFields, type LicenseAction, verbOf } from '../../../contract/licenses/verbs/index.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { mailIsStored, useMailIsStored } from '../../api/email-transport.ts';
import { CancelsRequest } from '../../components/payment/standing-requests.tsx';
import { ConfirmDiscard } from '../../components/record/confirm-discard.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { type FormFailure, logSaveError } from '../../components/record/form-errors.ts';
import { useLeaveGuard } from '../../components/record/leave-guard.tsx';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';
import { actions } from '../../text/es.ts';
import { lifecycleTexts as texts } from '../../text/es-license-action.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { Banner } from '../../ui/banner.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { toasts } from '../../ui/toasts.ts';
import { VERB_WORDS } from '../../verbs/index.ts';
import { type ActionValues, actionBody, actionErrors, blankAction, ReasonField } from './action-form.tsx';
import { ownFields } from './actions/index.ts';
import { useLicenseAction } from './lifecycle.api.ts';

interface LicenseActionDialogProps {
  license: LicenseRow;
  action: LicenseAction;
  onClose: () => void;
  finalFocus: ComponentProps<typeof FormDialog>['finalFocus'];
}

const offersNothing = () => () => undefined;

/** The dialog of an action on a licence: explanation, fields, and the licence's state after it (LIFE-05). */
export function LicenseActionDialog({ license, action, onClose, finalFocus }: LicenseActionDialogProps) {
  const { Fields, Summary, recipient, useOffersAfter = offersNothing } = ownFields(action);
  const words = VERB_WORDS[action];
  const { whom } = words;
  const [blank] = useState(() => blankAction(action, license));
  const [values, setValues] = useState(blank);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const act = useLicenseAction(license);
  const offersAfter = useOffersAfter();
  const change = (changes: Partial<ActionValues>) => setValues((now) => ({ ...now, ...changes }));

  const [send, sending] = useOneAtATime(async () => {
    const body = actionBody(action, values);
    const wrong = actionErrors(action, body);
    setErrors(wrong);
    setFailure(null);
    if (Object.keys(wrong).length > 0) return;
    try {
      const changed = await act.mutateAsync({ action, body });
      onClose();
      const stored = values.notify && mailIsStored() ? [outboxTexts.stored] : [];
      const offers = offersAfter(changed);
      toasts.success(words.done, [changed.license_key, ...stored].join('. '), offers?.action, offers?.link);
    } catch (error) {
      logSaveError(words.failed, error);
      const named = error instanceof ApiError ? error.fieldErrors : {};
      setErrors(Object.fromEntries(Object.entries(named).map(([field, texts]) => [field, texts.join(' ')])));
      if (Object.keys(named).length === 0) setFailure({ title: words.failed, message: errorMessage(error) });
    }
  });

  const address = recipient ? recipient(values) : license.client_email;
  const isStored = useMailIsStored();
  const notifyHelp = [
    address === null ? texts.chooseClient : texts.notifyTo(address),
    ...(isStored ? [outboxTexts.willStore] : []),
  ].join('. ');
  const isDirty = (Object.keys(blank) as (keyof ActionValues)[]).some(
    (field) => values[field] !== blank[field],
  );
  // `ofPath`: another tab of the data beside the form does not close it, but a link to another path does.
  const guard = useLeaveGuard(isDirty, { ofPath: true });
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
      guard={
        <>
          {guard.dialog}
          <ConfirmDiscard open={isAsking} onDiscard={onClose} onKeep={() => setIsAsking(false)} />
        </>
      }
      failure={failure}
      summary={Summary && <Summary license={license} values={values} />}
      finalFocus={finalFocus}
    >
      {whom && (
        <Banner tone={whom.tone} title={whom.title} announce="note">
          {whom.text(license)}
        </Banner>
      )}
      {verbOf(action).endsRequest && <CancelsRequest license={license.id} />}
      <p className="text-muted">{words.effect}</p>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {Fields && <Fields license={license} values={values} errors={errors} change={change} />}
        <ReasonField
          action={action}
          help={texts.reasonHelp}
          error={errors.reason}
          value={values.reason}
          onChange={(reason) => change({ reason })}
        />
        {commonFields(action).notify !== null && (
          <Checkbox
            className="sm:col-span-2"
            label={texts.notify}
            help={notifyHelp}
            checked={values.notify}
            onChange={({ target }) => change({ notify: target.checked })}
          />
        )}
      </div>
    </FormDialog>
  );
}
