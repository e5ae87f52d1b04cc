import { useQuery } from '@tanstack/react-query';
import { HandCoins } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import {
  BULK_LIFE_ACTIONS,
  type BulkLifeAction,
  VERBS,
  verbOf,
} from '../../../contract/licenses/verbs/index.ts';
import { errorMessage } from '../../api/api-error.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { OFFERS } from '../../api/offers.ts';
import { useMay } from '../../api/permissions.ts';
import { ChargeDialog, ChargeRefused } from '../../components/charge/charge-dialog.tsx';
import {
  type ActionValues,
  actionBody,
  actionErrors,
  blankAction,
  ReasonField,
} from '../../components/license/action-form.tsx';
import { ownFields } from '../../components/license/actions/index.ts';
import { bulkPreviewQuery } from '../../components/license/lifecycle.api.ts';
import type { BulkAction, BulkFieldsProps } from '../../components/list/bulk-definition.ts';
import { previewTexts } from '../../text/es-bulk.ts';
import { lifecycleTexts as texts } from '../../text/es-license-action.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { bulkChargeTexts, chargeTexts, paymentTexts } from '../../text/es-payments.ts';
import { Banner } from '../../ui/banner.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { VERB_WORDS } from '../../verbs/index.ts';
import { usersNow } from '../../verbs/verb-words.ts';

/** 'Cobrar': requests payment for all selected licences from their client (PAY-07). */
const CHARGE: BulkAction = {
  name: 'charge',
  permission: OFFERS['payment_requests.create'],
  icon: HandCoins,
  texts: bulkChargeTexts,
  isFinal: false,
  stops: false,
  OwnDialog: ({ rows, all, ...dialog }) =>
    all ? (
      <ChargeRefused reason={chargeTexts.allPages} {...dialog} />
    ) : (
      // The cast is safe: rows of the list of licences are licences.
      <ChargeDialog licenses={rows as readonly LicenseRow[]} {...dialog} />
    ),
};

/** The lifecycle actions that are also bulk actions. */
const LIFE_ACTIONS = BULK_LIFE_ACTIONS.map((name): BulkAction => {
  const { icon, whom, many } = VERB_WORDS[name];
  return {
    name,
    permission: VERBS[name].permission,
    icon,
    texts: many,
    isFinal: whom?.tone === 'critical',
    stops: whom !== undefined,
    Fields: (given) => <LifeFields name={name} {...given} />,
  };
});

/** The bulk actions that only the list of licences has. */
export const BULK_ACTIONS: readonly BulkAction[] = [...LIFE_ACTIONS, CHARGE];

/** The fields of an action on many licences, and how many it will change (LIFE-06). */
function LifeFields({ name, target, checked, onChange }: BulkFieldsProps & { name: BulkLifeAction }) {
  const { Fields } = ownFields(name);
  const isStored = useMailIsStored();
  const may = useMay();
  const [values, setValues] = useState(() => blankAction(name, null));
  const change = (changes: Partial<ActionValues>) => setValues((now) => ({ ...now, ...changes }));
  const body = useMemo(() => actionBody(name, values), [name, values]);
  const errors = useMemo(() => actionErrors(name, body), [name, body]);
  useEffect(() => onChange(body, Object.keys(errors).length === 0), [onChange, body, errors]);
  // Of a renewal: what decides which licences it refuses.
  const deciding = ['license_type_config', 'price', 'complimentary'].filter(
    (term) => body[term] !== undefined && !(term in errors),
  );
  const terms = Object.fromEntries(deciding.map((term) => [term, body[term]]));
  const shown = checked ? errors : {};
  return (
    <div className="space-y-4">
      <Preview target={target} action={name} terms={terms} />
      {may('payments:read') && verbOf(name).endsRequest && (
        <p className="text-muted">{paymentTexts.cancelsOpenMany}</p>
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {Fields && <Fields license={null} values={values} errors={shown} change={change} />}
        <ReasonField
          action={name}
          help={texts.bulkReasonHelp}
          error={shown.reason}
          value={values.reason}
          onChange={(reason) => change({ reason })}
        />
        {'notify' in body && (
          <Checkbox
            className="sm:col-span-2"
            label={texts.notifyMany}
            help={isStored && <span className="text-warning-text">{outboxTexts.willStoreMany}</span>}
            checked={values.notify}
            onChange={({ target: { checked: notify } }) => change({ notify })}
          />
        )}
      </div>
    </div>
  );
}

/** How many licences and machines the action will change, and why it will skip the others. */
function Preview({
  target,
  action,
  terms,
}: Pick<BulkFieldsProps, 'target'> & { action: BulkLifeAction; terms: object }) {
  const { data, error } = useQuery(bulkPreviewQuery(target, action, terms));
  const { whom } = VERB_WORDS[action];
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
