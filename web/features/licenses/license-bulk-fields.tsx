import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { BulkLifeAction } from '../../../contract/licenses/license-bulk.ts';
import { errorMessage } from '../../api/api-error.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import type { BulkFieldsProps } from '../../components/list/bulk-definition.ts';
import { previewTexts } from '../../text/es-bulk.ts';
import { lifecycleTexts as texts } from '../../text/es-license-action.ts';
import { usersNow, WHOM_IT_HITS } from '../../text/es-lifecycle.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { vendorCurrency } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-input.tsx';
import { type ActionValues, actionBody, actionErrors, blankAction } from './license-action-form.ts';
import { bulkPreviewQuery } from './lifecycle.api.ts';
import { RenewalFields } from './renewal-fields.tsx';

const LIFE_ACTIONS: readonly string[] = [
  'renew',
  'suspend',
  'reinstate',
  'cancel',
] satisfies BulkLifeAction[];

/** The fields of an action on many licences, and how many of them it will touch (LIFE-06). */
export function LicenseBulkFields({ action, ...given }: BulkFieldsProps) {
  return LIFE_ACTIONS.includes(action) ? <LifeFields action={action as BulkLifeAction} {...given} /> : null;
}

function LifeFields({
  action,
  target,
  checked,
  onChange,
}: Omit<BulkFieldsProps, 'action'> & { action: BulkLifeAction }) {
  const isStored = useMailIsStored();
  const [values, setValues] = useState(() => blankAction(action));
  const change = (changes: Partial<ActionValues>) => setValues((now) => ({ ...now, ...changes }));
  const body = useMemo(() => actionBody(action, values), [action, values]);
  const errors = useMemo(() => actionErrors(action, body), [action, body]);
  useEffect(() => onChange(body, Object.keys(errors).length === 0), [onChange, body, errors]);
  const type = 'license_type_config' in errors ? '' : values.license_type_config;
  return (
    <div className="space-y-4">
      <Preview target={target} action={action} type={type} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {action === 'renew' && (
          <RenewalFields
            values={values}
            errors={checked ? errors : {}}
            change={change}
            needsType={false}
            currency={vendorCurrency()}
          />
        )}
        {action === 'reinstate' ? (
          <Checkbox
            className="sm:col-span-2"
            label={texts.giveBack}
            help={texts.giveBackHelp}
            checked={values.extend}
            onChange={({ target: { checked: extend } }) => change({ extend })}
          />
        ) : (
          <Field
            label={texts.reason}
            help={texts.bulkReasonHelp}
            error={checked ? errors.reason : undefined}
            wide
          >
            <TextArea
              rows={2}
              value={values.reason}
              onChange={({ target: { value } }) => change({ reason: value })}
            />
          </Field>
        )}
        <Checkbox
          className="sm:col-span-2"
          label={texts.notifyMany}
          help={isStored && outboxTexts.willStoreMany}
          checked={values.notify}
          onChange={({ target: { checked: notify } }) => change({ notify })}
        />
      </div>
    </div>
  );
}

/** How many licences and machines the action will touch, and why not the others. */
function Preview({
  target,
  action,
  type,
}: Pick<BulkFieldsProps, 'target'> & { action: BulkLifeAction; type: string }) {
  const { data, error } = useQuery(bulkPreviewQuery(target, action, type));
  const whom = WHOM_IT_HITS[action];
  if (error !== null) {
    return <p className="text-muted">{`${previewTexts.failed}: ${errorMessage(error)}`}</p>;
  }
  return (
    <>
      {whom && data !== undefined && data.possible > 0 && (
        <Banner tone={whom.tone} title={whom.title} announce="note">
          {usersNow(data.machines, data.possible)}
        </Banner>
      )}
      <div role="status" className="rounded-lg bg-sunken px-3 py-2.5 text-sm">
        {data === undefined ? (
          <p className="text-muted">{previewTexts.loading}</p>
        ) : (
          <>
            <p className="font-medium">{previewTexts.possible(data.possible, data.total)}</p>
            {data.refused.length > 0 && (
              <ul aria-label={previewTexts.refused} className="mt-1 space-y-0.5 text-xs text-muted">
                {data.refused.map(({ message, count }) => (
                  <li key={message}>{previewTexts.reason(count, message)}</li>
                ))}
              </ul>
            )}
          </>
        )}
      </div>
    </>
  );
}
