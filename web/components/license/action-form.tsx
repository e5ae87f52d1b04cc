import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { commonFields, type LicenseAction, verbOf } from '../../../contract/licenses/verbs/index.ts';
import { lifecycleTexts as texts } from '../../text/es-license-action.ts';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-input.tsx';
import { type FieldMessages, messagesOf } from '../record/action-dialog.tsx';
import { ownFields } from './actions/index.ts';

/** The form fields that all verbs have, as far as the contract asks for them. */
export type ActionValues = { notify: boolean; reason: string };

export const blankAction = (action: LicenseAction, license: LicenseRow | null): ActionValues => {
  const { blank, blankOf } = ownFields(action);
  const { notify } = commonFields(action);
  return { ...blank, ...(license && blankOf?.(license)), notify: notify === true, reason: '' };
};

/** The request body of a verb. */
export const actionBody = (action: LicenseAction, values: ActionValues): Record<string, unknown> => {
  const { notify, reason } = values;
  const asked = commonFields(action);
  return {
    ...ownFields(action).body(values),
    ...(asked.notify !== null && { notify }),
    ...(asked.reason !== 'none' && { reason }),
  };
};

/** The messages of invalid fields, by field; empty if the body is valid. */
export const actionErrors = (action: LicenseAction, body: object): FieldMessages =>
  messagesOf(verbOf(action).body.safeParse(body).error);

interface ReasonFieldProps {
  action: LicenseAction;
  help: string;
  error: string | undefined;
  value: string;
  onChange: (reason: string) => void;
}

export const ReasonField = ({ action, help, error, value, onChange }: ReasonFieldProps) => {
  const { reason } = commonFields(action);
  if (reason === 'none') return null;
  return (
    <Field label={texts.reason} required={reason === 'required'} help={help} error={error} wide>
      <TextArea rows={2} value={value} onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
};
