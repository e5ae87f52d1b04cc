import { useQuery } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { NAME_REQUIRED } from '../../../../contract/base/required.ts';
import { PASSKEYS_MAX } from '../../../../contract/people/passkey-messages.ts';
import type { Passkey } from '../../../../contract/people/passkeys.ts';
import { usePasskeyPlace } from '../../../api/passkey-place.ts';
import { RecordState } from '../../../components/record/record-state.tsx';
import { RelativeTime } from '../../../components/record/relative-time.tsx';
import { useAction } from '../../../components/record/use-action.ts';
import { usePlainForm } from '../../../components/record/use-plain-form.ts';
import { passkeysQuery } from '../../../components/settings/passkeys-query.ts';
import { deviceOf } from '../../../text/device.ts';
import { passkeyTexts as texts } from '../../../text/es-passkeys.ts';
import { formatDateTime } from '../../../text/format.ts';
import { relativeTime } from '../../../text/relative-time.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { useMakePasskey, useRemovePasskey, useRenamePasskey } from './account.api.ts';
import { CardForm } from './card-form.tsx';

/** The card of the own passkeys, where they are offered (SIGN-01). */
export function PasskeysCard() {
  return usePasskeyPlace() ? <OfferedCard /> : null;
}

function OfferedCard() {
  const passkeys = useQuery(passkeysQuery);
  return (
    <Card title={texts.title} subtitle={texts.lead}>
      <RecordState query={passkeys} texts={texts}>
        {({ results }) => <Passkeys passkeys={results} />}
      </RecordState>
    </Card>
  );
}

function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  const [isAdding, setAdding] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const { ask, question } = useRemoval(addButton);
  const stop = () => {
    setAdding(false);
    // The button is drawn again first.
    requestAnimationFrame(() => addButton.current?.focus());
  };
  return (
    <div className="space-y-4">
      {passkeys.length === 0 && !isAdding && <p className="text-muted">{texts.none}</p>}
      {passkeys.length > 0 && (
        <ul className="divide-y divide-border">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemove={ask} />
          ))}
        </ul>
      )}
      {isAdding ? (
        <AddPasskey onDone={stop} />
      ) : passkeys.length < PASSKEYS_MAX ? (
        <Button ref={addButton} onClick={() => setAdding(true)}>
          {texts.begin}
        </Button>
      ) : (
        <p className="text-muted">{texts.full}</p>
      )}
      {question}
    </div>
  );
}

type AskToRemove = (passkey: Passkey, opener: HTMLElement) => void;

/**
 * The question before a passkey is removed. It stands outside the rows, because its own row is gone when it closes.
 * @param next what gets the focus then
 */
function useRemoval(next: RefObject<HTMLElement | null>) {
  const [asked, setAsked] = useState<Passkey | null>(null);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLElement>(null);
  const { mutateAsync } = useRemovePasskey();
  const [remove, isRemoving] = useAction(texts.removeFailed, async (id: number) => {
    try {
      await mutateAsync(id);
      opener.current = null;
      toasts.success(texts.removed);
    } finally {
      setOpen(false);
    }
  });
  const ask: AskToRemove = (passkey, from) => {
    opener.current = from;
    setAsked(passkey);
    setOpen(true);
  };
  const question = asked && (
    <ConfirmDialog
      open={isOpen}
      title={texts.removeTitle(asked.name)}
      text={texts.removeText}
      confirmLabel={texts.remove}
      busyLabel={texts.removing}
      busy={isRemoving}
      tone="danger"
      onConfirm={() => void remove(asked.id)}
      onCancel={() => setOpen(false)}
      finalFocus={() => opener.current ?? next.current}
    />
  );
  return { ask, question };
}

const checkName = ({ name }: { name: string }) => ({
  name: name.trim() === '' ? NAME_REQUIRED : undefined,
});

function AddPasskey({ onDone }: { onDone: () => void }) {
  const make = useMakePasskey();
  const form = usePlainForm({
    blank: { name: deviceOf(navigator.userAgent) },
    check: checkName,
    send: async ({ name }) => {
      const made = await make.mutateAsync(name.trim());
      toasts.success(texts.created, texts.createdText(made.name));
      onDone();
    },
  });
  return (
    <CardForm
      label={texts.begin}
      form={form}
      submit={texts.create}
      busyLabel={texts.creating}
      onCancel={onDone}
    >
      <Field label={texts.name} required error={form.error('name')} help={texts.nameHelp}>
        <TextInput {...form.field('name')} autoComplete="off" autoFocus className="sm:max-w-80" />
      </Field>
    </CardForm>
  );
}

/** 'hace 2 días', for use within a sentence. */
const lowerCase = (instant: Date, now: Date) => relativeTime(instant, now).toLowerCase();

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: AskToRemove }) {
  const { name, created_at, last_used_at, rp_id, synced } = passkey;
  const [isRenaming, setRenaming] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  const stopRenaming = () => {
    setRenaming(false);
    requestAnimationFrame(() => renameButton.current?.focus());
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0">
      {isRenaming ? (
        <RenamePasskey passkey={passkey} onDone={stopRenaming} />
      ) : (
        <>
          <div className="min-w-0 flex-1 basis-56">
            <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
              {name}
              {synced && <Badge tone="info">{texts.synced}</Badge>}
              {rp_id !== location.hostname && <Badge tone="warning">{texts.elsewhere(rp_id)}</Badge>}
            </p>
            <p className="text-xs text-muted">
              {last_used_at === null ? (
                texts.unused
              ) : (
                <>
                  {texts.lastUse} <RelativeTime value={last_used_at} words={lowerCase} />
                </>
              )}
              {` · ${texts.since(formatDateTime(created_at))}`}
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button
              ref={renameButton}
              size="sm"
              aria-label={texts.renameOf(name)}
              onClick={() => setRenaming(true)}
            >
              {texts.rename}
            </Button>
            <Button
              size="sm"
              aria-label={texts.removeOf(name)}
              onClick={({ currentTarget }) => onRemove(passkey, currentTarget)}
            >
              {texts.remove}
            </Button>
          </div>
        </>
      )}
    </li>
  );
}

function RenamePasskey({ passkey: { id, name }, onDone }: { passkey: Passkey; onDone: () => void }) {
  const rename = useRenamePasskey();
  const form = usePlainForm({
    blank: { name },
    check: checkName,
    send: async (typed) => {
      await rename.mutateAsync({ id, name: typed.name.trim() });
      toasts.success(texts.renamed);
      onDone();
    },
  });
  return (
    <div className="grow">
      <CardForm label={texts.renameOf(name)} form={form} submit={texts.save} onCancel={onDone}>
        <Field label={texts.name} required error={form.error('name')}>
          <TextInput {...form.field('name')} autoComplete="off" autoFocus className="sm:max-w-80" />
        </Field>
      </CardForm>
    </div>
  );
}
