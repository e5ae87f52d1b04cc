import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { usageAdjustment } from '../../../contract/programs/usage.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { ConfirmDiscard } from '../../components/record/confirm-discard.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { type FormFailure, logSaveError } from '../../components/record/form-errors.ts';
import { useLeaveGuard } from '../../components/record/leave-guard.tsx';
import { numberOf } from '../../components/record/typed-number.ts';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';
import { adjustTexts as texts, usageNote, usedInWords } from '../../text/es-meters.ts';
import { Field } from '../../ui/field.tsx';
import { RadioChoices } from '../../ui/radio-choices.tsx';
import { NumberInput, TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { usageQuery, useAdjustUsage } from './usage.api.ts';

interface AdjustUsageDialogProps {
  license: LicenseRow;
  onClose: () => void;
  finalFocus: ComponentProps<typeof FormDialog>['finalFocus'];
}

const BLANK = { used: '', reason: '' };

/** 'Corregir consumo': sets the used amount of a meter, with a reason (SELL-03). */
export function AdjustUsageDialog({ license, onClose, finalFocus }: AdjustUsageDialogProps) {
  const { data: rows = [] } = useQuery(usageQuery(license.id));
  const [chosen, setChosen] = useState<string | null>(null);
  const code = chosen ?? Object.keys(license.meters)[0];
  const [values, setValues] = useState(BLANK);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const adjust = useAdjustUsage(license.id);

  const [send, sending] = useOneAtATime(async () => {
    const checked = usageAdjustment.safeParse({ ...values, used: numberOf(values.used) });
    setErrors(Object.fromEntries(checked.error?.issues.map(({ path, message }) => [path[0], message]) ?? []));
    setFailure(null);
    if (!checked.success || code === undefined) return;
    try {
      await adjust.mutateAsync({ code, ...checked.data });
      onClose();
      toasts.success(texts.done, code);
    } catch (error) {
      logSaveError(texts.failed, error);
      const named = error instanceof ApiError ? error.fieldErrors : {};
      setErrors(Object.fromEntries(Object.entries(named).map(([field, said]) => [field, said.join(' ')])));
      if (Object.keys(named).length === 0) setFailure({ title: texts.failed, message: errorMessage(error) });
    }
  });

  const control = (name: keyof typeof BLANK) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => {
      setValues((now) => ({ ...now, [name]: target.value }));
      setErrors(({ [name]: _edited, ...others }) => others);
    },
  });
  const isDirty = values.used !== '' || values.reason !== '';
  // `ofPath`: another tab of the data beside the form does not close it, but a link to another path does.
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
      finalFocus={finalFocus}
    >
      {rows.length > 0 && code !== undefined && (
        <RadioChoices
          label={texts.which}
          choices={rows.map((row) => ({
            value: row.code,
            label: `${row.code}: ${usedInWords(row)}`,
            text: usageNote(row),
          }))}
          value={code}
          onChange={setChosen}
        />
      )}
      <Field label={texts.used} required error={errors.used}>
        <NumberInput {...control('used')} min="0" step="1" inputMode="numeric" />
      </Field>
      <Field label={texts.reason} required error={errors.reason} help={texts.help}>
        <TextInput {...control('reason')} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}
