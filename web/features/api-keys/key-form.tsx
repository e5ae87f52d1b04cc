import { type FormEvent, useState } from 'react';
import { API_KEY_MESSAGES, apiKeyCreate } from '../../../contract/api-keys.ts';
import type { Permission } from '../../../contract/permissions.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { useMay } from '../../api/permissions.ts';
import { useOneAtATime } from '../../components/use-one-at-a-time.ts';
import { actions } from '../../text/es.ts';
import { keyTexts as texts } from '../../text/es-people.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { DateInput, TextInput } from '../../ui/text-input.tsx';
import { KeyPermissions } from './key-permissions.tsx';
import { type NewApiKey, useCreateKey } from './keys.api.ts';

const DAY_MS = 24 * 3_600_000;
const LENGTHS = [30, 90, 365] as const;
const LONGEST = '365';

interface Wrong {
  name?: string | undefined;
  permissions?: string | undefined;
  expires_at?: string | undefined;
}

/** The end of a key: after some days, or the end of a day of the reader. Null for a missing or past day. */
function endOf(length: string, day: string): string | null {
  if (length !== '') return new Date(Date.now() + Number(length) * DAY_MS).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) || end.getTime() <= Date.now() ? null : end.toISOString();
}

/** 'Nueva clave de API': what it is for, what it may do and how long (PEOPLE-07). */
export function KeyFormDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (created: NewApiKey) => void;
}) {
  const may = useMay();
  const create = useCreateKey();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<Permission>>(new Set());
  const [length, setLength] = useState(LONGEST);
  const [day, setDay] = useState('');
  const [wrong, setWrong] = useState<Wrong>({});
  const [failure, setFailure] = useState<string | null>(null);

  const [send, busy] = useOneAtATime(async () => {
    setFailure(null);
    const expires_at = endOf(length, day);
    const checked = apiKeyCreate.safeParse({ name, permissions: [...chosen], expires_at });
    const issues = checked.error?.issues ?? [];
    const found: Wrong = {
      name: issues.find(({ path }) => path[0] === 'name')?.message,
      permissions: chosen.size === 0 ? API_KEY_MESSAGES.permissionsRequired : undefined,
      expires_at: expires_at === null ? texts.dateMissing : undefined,
    };
    setWrong(found);
    if (!checked.success || found.expires_at !== undefined) return;
    try {
      onCreated(await create.mutateAsync(checked.data));
      onClose();
    } catch (error) {
      const errors = error instanceof ApiError ? error.fieldErrors : {};
      if (Object.keys(errors).length === 0) setFailure(errorMessage(error));
      setWrong({
        name: errors.name?.[0],
        permissions: errors.permissions?.[0],
        expires_at: errors.expires_at?.[0],
      });
    }
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  return (
    <Dialog
      open
      size="lg"
      title={texts.createTitle}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{actions.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy} busyLabel={texts.creating}>
            {texts.submit}
          </Button>
        </>
      }
    >
      {failure !== null && (
        <Banner tone="critical" announce="alert">{`${texts.createFailed}: ${failure}`}</Banner>
      )}
      <Field label={texts.name} required error={wrong.name} help={texts.nameHelp}>
        <TextInput value={name} onChange={({ target }) => setName(target.value)} autoComplete="off" />
      </Field>
      <DialogSection title={texts.permissions} description={texts.permissionsHelp} columns={1}>
        <KeyPermissions chosen={chosen} onChange={setChosen} may={may} error={wrong.permissions} />
      </DialogSection>
      <DialogSection title={texts.expiry}>
        <Field label={texts.expiry} labelHidden>
          <Select value={length} onChange={({ target }) => setLength(target.value)}>
            {LENGTHS.map((days) => (
              <option key={days} value={days}>
                {texts.days(days)}
              </option>
            ))}
            <option value="">{texts.onDate}</option>
          </Select>
        </Field>
        {length === '' && (
          <Field label={texts.date} labelHidden required error={wrong.expires_at}>
            <DateInput value={day} onChange={({ target }) => setDay(target.value)} />
          </Field>
        )}
      </DialogSection>
    </Dialog>
  );
}
