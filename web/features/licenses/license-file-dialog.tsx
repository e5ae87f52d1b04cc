import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { VALIDITY_DAYS_MAX } from '../../../contract/base/limits.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { FILE_DAYS_DEFAULT, licenseFileRequest } from '../../../contract/programs/license-file.ts';
import { tokenEnd } from '../../../contract/programs/license-token.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { requestFile } from '../../api/http.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { refreshAfterChange } from '../../api/query-keys.ts';
import { ConfirmDiscard } from '../../components/record/confirm-discard.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { type FormFailure, logSaveError } from '../../components/record/form-errors.ts';
import { useLeaveGuard } from '../../components/record/leave-guard.tsx';
import { numberOf } from '../../components/record/typed-number.ts';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';
import { apiOf } from '../../record-kinds.ts';
import { fileTexts as texts } from '../../text/es-license.ts';
import { businessTimeZoneInUse, formatDate } from '../../text/format.ts';
import { Field } from '../../ui/field.tsx';
import { NumberInput, TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';

interface LicenseFileDialogProps {
  license: LicenseRow;
  onClose: () => void;
  finalFocus: ComponentProps<typeof FormDialog>['finalFocus'];
}

const BLANK = { machine_id: '', machine_name: '', ttl_days: String(FILE_DAYS_DEFAULT) };

/** 'Archivo sin conexión': downloads a license file for the machine id of a computer without network (PROG-02). */
export function LicenseFileDialog({ license, onClose, finalFocus }: LicenseFileDialogProps) {
  const [values, setValues] = useState(BLANK);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const once = useIdempotentAttempt();
  const queryClient = useQueryClient();
  const body = { ...values, ttl_days: numberOf(values.ttl_days) ?? undefined };

  const [send, sending] = useOneAtATime(async () => {
    const checked = licenseFileRequest.safeParse(body);
    setErrors(Object.fromEntries(checked.error?.issues.map(({ path, message }) => [path[0], message]) ?? []));
    setFailure(null);
    if (!checked.success) return;
    try {
      await once((headers) =>
        requestFile(`${apiOf('licenses', license.id)}file/`, {
          body: checked.data,
          headers,
          fileName: 'licencia.lic',
        }),
      );
      onClose();
      toasts.success(texts.done, license.license_key);
      void refreshAfterChange(queryClient, 'licenses');
    } catch (error) {
      logSaveError(texts.failed, error);
      const named = error instanceof ApiError ? error.fieldErrors : {};
      const own = Object.entries(named).filter(([field]) => field in BLANK);
      setErrors(Object.fromEntries(own.map(([field, messages]) => [field, messages.join(' ')])));
      if (own.length === 0) setFailure({ title: texts.failed, message: errorMessage(error) });
    }
  });

  const control = (name: keyof typeof BLANK) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => {
      setValues((now) => ({ ...now, [name]: target.value }));
      setErrors(({ [name]: _edited, ...others }) => others);
    },
  });
  const isDirty = Object.entries(BLANK).some(([name, blank]) => values[name as keyof typeof BLANK] !== blank);
  // `ofPath`, because links beside the form open other paths.
  const guard = useLeaveGuard(isDirty, { ofPath: true });
  return (
    <FormDialog
      size="md"
      title={texts.title}
      submitLabel={texts.submit}
      busyLabel={texts.busy}
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
      summary={<Until license={license} days={body.ttl_days ?? FILE_DAYS_DEFAULT} />}
      finalFocus={finalFocus}
    >
      <p className="text-muted">{texts.lead}</p>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={texts.machineId} required error={errors.machine_id} wide>
          <TextInput {...control('machine_id')} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field label={texts.machineName} error={errors.machine_name}>
          <TextInput {...control('machine_name')} autoComplete="off" />
        </Field>
        <Field label={texts.days} error={errors.ttl_days} help={texts.daysHelp}>
          <NumberInput {...control('ttl_days')} min="1" step="1" inputMode="numeric" />
        </Field>
      </div>
    </FormDialog>
  );
}

/** When the file expires: after the days, at the latest with the licence and its grace. */
function Until({ license, days }: { license: LicenseRow; days: number }) {
  const isKnown = Number.isInteger(days) && days >= 1;
  const end = tokenEnd(license, Math.min(days, VALIDITY_DAYS_MAX), new Date(), businessTimeZoneInUse());
  return (
    <dl aria-label={texts.summary}>
      <dt className="text-xs text-muted">{texts.until}</dt>
      <dd className="font-medium">
        {isKnown ? formatDate(new Date(end * 1000).toISOString()) : texts.unknown}
      </dd>
    </dl>
  );
}
