import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import type { LicenseRowAnswer } from '../../../contract/licenses/license-can.ts';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { errorMessage } from '../../api/api-error.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';
import { newChargeTexts as texts } from '../../text/es-charges.ts';
import { expiresOn, withoutEnd } from '../../text/es-ends.ts';
import { formatDate } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ClientPicker } from '../client/client-picker.tsx';
import { rowsQuery } from '../list/rows-of-record.tsx';
import { clientNameQuery, type PickedClient } from '../record/catalogue-queries.ts';
import { FormDialog } from '../record/form-dialog.tsx';
import { ChargeDialog } from './charge-dialog.tsx';
import { chargeRefusal } from './charge-lines.ts';

/** As many licences of a client as are listed, and requests of it that are asked for. */
const MOST = 100;

interface NewChargeDialogProps {
  /** The client, if it is known. */
  clientId?: number | undefined;
  onClose: () => void;
  finalFocus: ComponentProps<typeof FormDialog>['finalFocus'];
}

/** 'Nuevo cobro': a client and some of its licences are chosen, then the terms of the request (MONEY-13). */
export function NewChargeDialog({ clientId, onClose, finalFocus }: NewChargeDialogProps) {
  const [picked, setPicked] = useState<PickedClient | null>(null);
  const { data: given = null } = useQuery({
    ...clientNameQuery(clientId ?? 0),
    enabled: clientId !== undefined,
  });
  const client = picked ?? given;
  const offered = useChargeable(client?.id);
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const [charged, setCharged] = useState<readonly LicenseRowAnswer[] | null>(null);
  const [error, setError] = useState<string>();
  const { free } = offered;
  // Where nothing is to be chosen, nothing is asked.
  if (charged === null && picked === null && offered.isKnown && free.length === 1) setCharged(free);
  if (charged !== null) {
    return <ChargeDialog licenses={charged} onClose={onClose} finalFocus={finalFocus} />;
  }
  const marked = free.filter(({ id }) => ticked.has(id) || free.length === 1);
  return (
    <FormDialog
      size="md"
      title={texts.title}
      submitLabel={texts.next}
      busyLabel={texts.next}
      saving={false}
      onSubmit={(event) => {
        event.preventDefault();
        const refusal =
          client === null ? texts.chooseClient : marked.length === 0 ? texts.chooseLicense : null;
        setError(refusal ?? chargeRefusal(marked) ?? undefined);
        if (refusal === null && chargeRefusal(marked) === null) setCharged(marked);
      }}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <Field label={texts.client} required error={client === null ? error : undefined}>
        <ClientPicker
          value={client}
          onChange={(next) => {
            setPicked(next);
            setTicked(new Set());
            setError(undefined);
          }}
        />
      </Field>
      {client !== null && (
        <Licenses
          offered={offered}
          ticked={(id) => marked.some((license) => license.id === id)}
          onTick={(id, isTicked) => {
            const next = new Set(ticked);
            if (isTicked) next.add(id);
            else next.delete(id);
            setTicked(next);
            setError(undefined);
          }}
          error={error}
        />
      )}
    </FormDialog>
  );
}

/** The licences of a client that can be charged; those with an open request are shown, but cannot be chosen. */
function useChargeable(client: number | undefined) {
  const enabled = client !== undefined;
  const licenses = useQuery({
    ...rowsQuery<LicenseRowAnswer>(
      { path: '/licenses/api/licenses/', filters: { client, ordering: 'expiry_date' } },
      1,
      MOST,
    ),
    enabled,
  });
  const requests = useQuery({
    queryKey: [KEYS.payment_requests, 'open', client],
    queryFn: ({ signal }) =>
      request<{ results: PaymentRequest[] }>('GET', apiOf('payment_requests'), {
        query: { client, state: 'open', page: 1, page_size: MOST },
        signal,
      }),
    enabled,
    staleTime: 0,
  });
  const requestOf = new Map(
    (requests.data?.results ?? []).flatMap(({ id, lines }) =>
      // What was sold and is not paid holds no licence (MONEY-05).
      lines.flatMap(({ license, kind }) =>
        license === null || kind === 'sold' ? [] : [[license.id, id] as const],
      ),
    ),
  );
  const all = (licenses.data?.rows ?? []).filter(({ can }) => can.includes('renew'));
  return {
    isKnown: !licenses.isPending && !requests.isPending,
    error: licenses.error,
    isMore: (licenses.data?.total ?? 0) > MOST,
    all,
    requestOf,
    free: all.filter(({ id }) => !requestOf.has(id)),
  };
}

interface LicensesProps {
  offered: ReturnType<typeof useChargeable>;
  ticked: (id: number) => boolean;
  onTick: (id: number, ticked: boolean) => void;
  error: string | undefined;
}

function Licenses({ offered, ticked, onTick, error }: LicensesProps) {
  const { isKnown, all, requestOf, isMore } = offered;
  if (offered.error !== null) {
    return (
      <Banner tone="critical" title={texts.failed} announce="alert">
        {errorMessage(offered.error)}
      </Banner>
    );
  }
  if (!isKnown) return <Skeleton className="h-16" />;
  if (all.length === 0) return <p className="text-muted">{texts.none}</p>;
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1 font-medium">{texts.licenses}</legend>
      {error && (
        <p role="alert" className="text-xs text-critical-text">
          {error}
        </p>
      )}
      <ul className="divide-y divide-border rounded-lg border border-border">
        {all.map((license) => (
          <li key={license.id} className="px-3 py-2">
            <LicenseChoice
              license={license}
              request={requestOf.get(license.id)}
              isTicked={ticked(license.id)}
              onTick={(next) => onTick(license.id, next)}
            />
          </li>
        ))}
      </ul>
      {isMore && <p className="text-xs text-muted">{texts.more(MOST)}</p>}
    </fieldset>
  );
}

interface LicenseChoiceProps {
  license: LicenseRowAnswer;
  /** Its open request. */
  request: number | undefined;
  isTicked: boolean;
  onTick: (ticked: boolean) => void;
}

const LicenseChoice = ({ license, request: open, isTicked, onTick }: LicenseChoiceProps) => (
  <Checkbox
    label={`${license.software_name} ${license.software_version}`}
    help={[
      license.license_key,
      license.expiry_date === null
        ? withoutEnd(license)
        : expiresOn(formatDate(license.expiry_date), license.is_expired),
      ...(open === undefined ? [] : [texts.requested(open)]),
    ].join(' · ')}
    disabled={open !== undefined}
    checked={isTicked}
    onChange={({ target }) => onTick(target.checked)}
  />
);
