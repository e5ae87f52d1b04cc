import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { VERBS } from '../../../contract/licenses/verbs/index.ts';
import { lifecycleTexts as texts } from '../../text/es-license-action.ts';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-input.tsx';
import type { ActionDefinition } from './actions/action-definition.ts';

/** The form fields that all actions have. */
export type ActionValues = { notify: boolean; reason: string };

export const blankAction = (
  { blank, blankOf, tells }: ActionDefinition,
  license: LicenseRow | null,
): ActionValues => ({
  ...blank,
  ...(license && blankOf?.(license)),
  notify: tells,
  reason: '',
});

/** The request body of an action. */
export const actionBody = (
  { body, reason: has }: ActionDefinition,
  values: ActionValues,
): Record<string, unknown> => {
  const { notify, reason } = values;
  return { ...body(values), notify, ...(has !== 'none' && { reason }) };
};

/** The messages of invalid fields, by field; empty if the body is valid. */
export function actionErrors({ name }: ActionDefinition, body: object): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of VERBS[name].body.safeParse(body).error?.issues ?? []) {
    errors[String(path[0])] ??= message;
  }
  return errors;
}

interface ReasonFieldProps {
  action: ActionDefinition;
  help: string;
  error: string | undefined;
  value: string;
  onChange: (reason: string) => void;
}

export const ReasonField = ({ action: { reason }, help, error, value, onChange }: ReasonFieldProps) =>
  reason !== 'none' && (
    <Field label={texts.reason} required={reason === 'required'} help={help} error={error} wide>
      <TextArea rows={2} value={value} onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
