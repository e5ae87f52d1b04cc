import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { CLIENT_STATUS_LABELS } from '../../../contract/clients/client-words.ts';
import {
  type ClientField,
  isUnspecified,
  CLIENT_LABELS as LABELS,
} from '../../../contract/clients/clients.fields.ts';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import type { MergePreview } from '../../../contract/clients/merge.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import type { FormFailure } from '../../components/record/form-errors.ts';
import { Loading, RecordState } from '../../components/record/record-state.tsx';
import { actions } from '../../text/es.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { formatDate } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { mergePreviewQuery, useMergeClients, useRefreshAfterMerge, useRereadBoth } from './merge.api.ts';
import { mergeTexts as texts } from './merge-texts.ts';

interface MergeDialogProps {
  /** The client whose details are shown. */
  client: ClientDetails;
  /** The client that may be the same. */
  other: number;
  onClose: () => void;
  /** The merge is done: `into` is the client that stays. */
  onMerged: (into: number) => Promise<void>;
  finalFocus: () => HTMLElement | null;
}

/** 'Fusionar clientes': shows both, which of them stays, what moves and what is lost (MERGE-01). */
export function MergeDialog({ client, other, onClose, onMerged, finalFocus }: MergeDialogProps) {
  const [staying, setStaying] = useState(client.id);
  const [failure, setFailure] = useState<FormFailure | null>(null);
  // Afterwards one of both is gone: nothing is asked about it any more.
  const [isDone, setIsDone] = useState(false);
  const query = useQuery({ ...clientQuery(other), enabled: !isDone });
  const merge = useMergeClients();
  const refresh = useRefreshAfterMerge();
  const reread = useRereadBoth();
  const both = query.data === undefined ? [] : [client, query.data];
  const into = both.find(({ id }) => id === staying);
  const from = both.find(({ id }) => id !== staying);
  const preview = useQuery({
    ...mergePreviewQuery(staying, staying === client.id ? other : client.id),
    enabled: from !== undefined && !isDone,
  });
  const [run, busy] = useOneAtATime(async () => {
    if (!into || !from) return;
    setFailure(null);
    try {
      const { left } = await merge.mutateAsync({ into, from: from.id });
      const fits = left.tags + left.contacts === 0;
      toasts.success(
        texts.merged,
        fits ? texts.mergedInto(into.name) : `${texts.mergedInto(into.name)} ${texts.left(left)}`,
      );
      setIsDone(true);
      await onMerged(into.id);
      await refresh(from.id);
    } catch (error) {
      await reread([into.id, from.id]);
      const isChanged = error instanceof ApiError && error.status === 412;
      const message = errorMessage(error);
      setFailure({ title: texts.failed, message: isChanged ? texts.changed(message) : message });
    }
  });
  // What was read stays if a later reading fails.
  if (query.isLoadingError)
    return (
      <Dialog
        open
        size="lg"
        title={texts.title}
        onClose={onClose}
        finalFocus={finalFocus}
        footer={<Button onClick={onClose}>{actions.close}</Button>}
      >
        <RecordState query={query} texts={clientTexts.record}>
          {() => null}
        </RecordState>
      </Dialog>
    );
  return (
    <FormDialog
      title={texts.title}
      submitLabel={texts.submit}
      busyLabel={texts.busy}
      submitVariant="danger"
      saving={busy}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
      onClose={onClose}
      failure={failure}
      finalFocus={finalFocus}
      summary={<p className="text-sm font-medium">{texts.final}</p>}
    >
      <RecordState query={query} texts={clientTexts.record}>
        {(found) => (
          <>
            <Choice both={[client, found]} value={staying} onChange={setStaying} />
            {into && from && preview.data ? (
              <Effects {...{ into, from }} preview={preview.data} />
            ) : preview.error === null ? (
              <Loading text={clientTexts.record.loading} />
            ) : (
              <Banner tone="critical" announce="alert">
                {errorMessage(preview.error)}
              </Banner>
            )}
          </>
        )}
      </RecordState>
    </FormDialog>
  );
}

interface ChoiceProps {
  both: readonly ClientDetails[];
  value: number;
  onChange: (id: number) => void;
}

/** Both clients side by side, one of which stays. The arrow keys choose the other. */
function Choice({ both, value, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div role="radiogroup" aria-labelledby={`${id}-label`}>
      <p id={`${id}-label`} className="mb-2 font-medium">
        {texts.which}
      </p>
      <div className="grid gap-3 [grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr))]">
        {both.map((client) => {
          const stays = client.id === value;
          return (
            <label
              key={client.id}
              className={cx(
                'flex min-w-0 cursor-pointer items-start gap-2.5 rounded-xl border px-4 py-3',
                stays ? 'border-brand' : 'border-border',
              )}
            >
              <input
                type="radio"
                name={id}
                checked={stays}
                onChange={() => onChange(client.id)}
                aria-label={client.name}
                aria-describedby={`${id}-${client.id}`}
                className="mt-0.5 size-4 shrink-0 accent-brand"
              />
              <span id={`${id}-${client.id}`} className="min-w-0 flex-1 space-y-1 wrap-anywhere">
                <span className="flex flex-wrap justify-between gap-x-3">
                  <bdi className="font-medium">{client.name}</bdi>
                  <span className={cx('text-sm', stays ? 'font-medium text-brand-text' : 'text-muted')}>
                    {stays ? texts.stays : texts.ends}
                  </span>
                </span>
                <span className="block text-sm">{client.email_shown ?? client.email}</span>
                <span className="block text-xs">
                  {[client.phone, client.tax_id].filter((text) => text !== '').join(' · ')}
                </span>
                <span className="block text-xs text-muted">{texts.facts(client)}</span>
              </span>
            </label>
          );
        })}
      </div>
    </div>
  );
}

interface EffectsProps {
  into: ClientDetails;
  from: ClientDetails;
  preview: MergePreview;
}

/** What the merge does: what moves, what completes the client that stays, and what is lost. */
function Effects({ into, from, preview }: EffectsProps) {
  const { moves, taken, left, refusal } = preview;
  const lost = lostOf(into, from, taken);
  const counted = texts.counted(moves);
  return (
    <div className="space-y-4" aria-live="polite">
      {refusal !== null && (
        <Banner tone="critical" announce="status">
          {refusal}
        </Banner>
      )}
      <Part title={<bdi>{texts.moves(into.name)}</bdi>}>
        <p>{counted === '' ? texts.nothing : `${counted}.`}</p>
        <p className="text-muted">{texts.history}</p>
      </Part>
      {left.tags + left.contacts > 0 && <Banner tone="warning">{texts.left(left)}</Banner>}
      {taken.length > 0 && (
        <Part title={texts.taken}>
          <Values of={from} fields={taken} />
        </Part>
      )}
      <Part title={texts.lost}>
        {lost.length === 0 ? <p>{texts.nothingLost}</p> : <Values of={from} fields={lost} />}
        <p className="text-muted">{texts.portal(into.email)}</p>
      </Part>
    </div>
  );
}

const Part = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <section className="space-y-1 text-sm wrap-anywhere">
    <h3 className="font-semibold">{title}</h3>
    {children}
  </section>
);

const Values = ({ of, fields }: { of: ClientDetails; fields: readonly ClientField[] }) => (
  <ul className="space-y-0.5">
    {fields.map((field) => (
      <li key={field}>
        <span className="text-muted">{`${LABELS[field]}: `}</span>
        <bdi className="whitespace-pre-wrap">{shown(of, field)}</bdi>
      </li>
    ))}
  </ul>
);

function shown(client: ClientDetails, field: ClientField): string {
  const value = client[field];
  if (field === 'status') return CLIENT_STATUS_LABELS[client.status];
  if (field === 'reminders') return client.reminders ? 'Sí' : 'No';
  if (field === 'last_contact' && client.last_contact !== null) return formatDate(client.last_contact);
  return typeof value === 'string' ? value : '';
}

/** The texts that only the client has that ends. Tags and contacts are added, and the mail's owner keeps the other. */
function lostOf(into: ClientDetails, from: ClientDetails, taken: readonly ClientField[]): ClientField[] {
  return (Object.keys(LABELS) as ClientField[]).filter((field) => {
    const value = from[field];
    if (taken.includes(field) || field === 'status' || field === 'client_type') return false;
    return typeof value === 'string' && !isUnspecified(value) && value !== '00000' && value !== into[field];
  });
}
