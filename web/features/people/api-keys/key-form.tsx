import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { API_KEY_MESSAGES, apiKeyCreate } from '../../../../contract/people/api-keys.ts';
import type { Permission } from '../../../../contract/people/permissions.ts';
import { ApiError, CalledOff, errorMessage } from '../../../api/api-error.ts';
import { useOffers } from '../../../api/offers.ts';
import { useMay } from '../../../api/permissions.ts';
import { FormDialog } from '../../../components/record/form-dialog.tsx';
import { settingsQuery } from '../../../components/settings/settings.api.ts';
import { keyTexts as texts } from '../../../text/es-people.ts';
import { businessTimeZoneInUse } from '../../../text/format.ts';
import { Failure } from '../../../ui/banner.tsx';
import { DialogSection } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { DateInput, TextInput } from '../../../ui/text-input.tsx';
import { useOneAtATime } from '../../../ui/use-one-at-a-time.ts';
import { endOf, lastDay, lengthsFor, usualLength } from './key-life.ts';
import { KeyPermissions } from './key-permissions.tsx';
import { type NewApiKey, useCreateKey } from './keys.api.ts';

interface Wrong {
  name?: string | undefined;
  permissions?: string | undefined;
  expires_at?: string | undefined;
}

/** 'Nueva clave de API': name, permissions and validity (PEOPLE-07). */
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
  const isOffered = useOffers();
  const settings = useQuery({ ...settingsQuery, enabled: isOffered('settings.save') });
  // Without permission for the settings the limit is unknown; then only the server checks it.
  const limit = settings.data?.api_key_days_max ?? null;
  const usual = String(usualLength(limit));
  const [chosenLength, setLength] = useState<string | null>(null);
  const length = chosenLength ?? usual;
  const [day, setDay] = useState('');
  const [wrong, setWrong] = useState<Wrong>({});
  const [failure, setFailure] = useState<string | null>(null);

  const refused = (error: unknown) => {
    if (error instanceof CalledOff) return;
    const errors = error instanceof ApiError ? error.fieldErrors : {};
    if (Object.keys(errors).length === 0) setFailure(errorMessage(error));
    setWrong({
      name: errors.name?.[0],
      permissions: errors.permissions?.[0],
      expires_at: errors.expires_at?.[0],
    });
  };
  const [send, busy] = useOneAtATime(async () => {
    setFailure(null);
    const expires_at = endOf(length, day, new Date(), businessTimeZoneInUse());
    // The usual validity is not sent: the server computes it with its own clock, which may differ from the browser's.
    const sent = length === usual ? null : expires_at;
    const checked = apiKeyCreate.safeParse({ name, permissions: [...chosen], expires_at: sent });
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
      refused(error);
    }
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  return (
    <FormDialog
      title={texts.createTitle}
      submitLabel={texts.submit}
      busyLabel={texts.creating}
      saving={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <Failure text={failure && `${texts.createFailed}: ${failure}`} />
      <Field label={texts.name} required error={wrong.name} help={texts.nameHelp}>
        <TextInput value={name} onChange={({ target }) => setName(target.value)} autoComplete="off" />
      </Field>
      <DialogSection title={texts.permissions} description={texts.permissionsHelp} columns={1}>
        <KeyPermissions chosen={chosen} onChange={setChosen} may={may} error={wrong.permissions} />
      </DialogSection>
      <DialogSection title={texts.expiry}>
        <Field
          label={texts.expiry}
          labelHidden
          error={length === '' ? undefined : wrong.expires_at}
          help={limit === null ? undefined : API_KEY_MESSAGES.tooLong(limit)}
        >
          <Select
            value={length}
            onChange={({ target }) => setLength(target.value)}
            choices={[
              ...lengthsFor(limit).map((days) => [days, texts.days(days)] as const),
              ['', texts.onDate],
            ]}
          />
        </Field>
        {length === '' && (
          <Field label={texts.date} labelHidden required error={wrong.expires_at}>
            <DateInput
              value={day}
              max={lastDay(limit, new Date(), businessTimeZoneInUse())}
              onChange={({ target }) => setDay(target.value)}
            />
          </Field>
        )}
      </DialogSection>
    </FormDialog>
  );
}
