import { useQuery } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import type { Client, ClientInput } from '../../../contract/clients/clients.ts';
import { foundBy } from '../../../contract/reading/search-folding.ts';
import { errorMessage } from '../../api/api-error.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { toastTexts } from '../../text/es.ts';
import { pickerTexts } from '../../text/es-forms.ts';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { SearchPicker } from '../../ui/search-picker.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { useDebouncedSearch } from '../list/use-debounced-search.ts';
import { ActiveBadge } from '../record/badges.tsx';
import { clientPickerQuery, type PickedClient } from '../record/catalogue-queries.ts';
import { useSaveRecord } from '../record/record-calls.ts';
import { type ClientLine, clientOfLine, isWholeClient } from './client-line.ts';
import { ClientQuickForm } from './client-quick-form.tsx';
import { usePhones } from './use-phones.ts';

/** The clients whose name, email or company contain the words of the text (SEED-2.3-14, D124, INPUT-08). */
export const filterClients = (clients: readonly PickedClient[], text: string): PickedClient[] =>
  foundBy(clients, ({ name, email, company }) => [name, email, company ?? ''], text);

interface ClientPickerProps {
  value: PickedClient | null;
  onChange: (client: PickedClient | null) => void;
  onBlur?: () => void;
  inputRef?: Ref<HTMLInputElement>;
}

/**
 * Picks a client by name, email or company, or creates a new one. If the typed line has a name, email address and
 * phone, the client is created at once; otherwise a form asks for the rest. Put the picker in a `Field` for its label
 * (SEED-2.3-13 to -21).
 */
export function ClientPicker({ value, onChange, onBlur, inputRef }: ClientPickerProps) {
  const [search, setSearch] = useState('');
  const { text, setText } = useDebouncedSearch(search, setSearch);
  // A line with as many digits may hold a phone.
  const phones = usePhones(/(?:\d\D*){7}/.test(text));
  const line = clientOfLine(text, phones);
  // If the text contains an email address, the search uses only the address.
  const requested = clientOfLine(search, null).email || search;
  const { data = [], isFetching, error } = useQuery(clientPickerQuery(requested));
  const waiting = isFetching || text.trim() !== search;
  /** The data typed so far, with which the form for the rest begins. */
  const [creating, setCreating] = useState<ClientLine | null>(null);
  const create = useSaveRecord<ClientInput, Client>('clients', null);
  const createOnce = useIdempotentAttempt();
  const [createAtOnce, isCreating] = useOneAtATime(async (typed: ClientLine) => {
    try {
      onChange(
        await createOnce((headers) => create.mutateAsync({ values: typed, headers, updatedAt: null })),
      );
    } catch (failure) {
      // Opens the form with the typed data, so that nothing is lost. Its fields show what is wrong at the next save.
      toasts.error(toastTexts.clients.createFailed, errorMessage(failure));
      setCreating(typed);
    }
  });
  const placeRef = useRef<HTMLDivElement>(null);
  return (
    <div ref={placeRef}>
      <SearchPicker
        items={filterClients(data, line.email || text)}
        value={value}
        onChange={onChange}
        onSearch={setText}
        itemKey={(client) => client.id}
        itemText={(client) => `${client.name} - ${client.email}`}
        renderItem={(client) => <ClientOption client={client} />}
        loading={waiting}
        loadingText={pickerTexts.loading}
        emptyText={pickerTexts.empty}
        errorText={error === null ? undefined : error.message}
        create={{
          label: (typed) => (isWholeClient(line) ? pickerTexts.createWhole(line) : pickerTexts.create(typed)),
          onCreate: (typed) => {
            const client = clientOfLine(typed, phones);
            if (isWholeClient(client)) void createAtOnce(client);
            else setCreating(client);
          },
        }}
        placeholder={isCreating ? pickerTexts.creating : pickerTexts.placeholder}
        clearLabel={pickerTexts.clear}
        onBlur={onBlur}
        inputRef={inputRef}
      />
      <DialogPlace open={creating !== null}>
        {creating !== null && (
          <ClientQuickForm
            typed={creating}
            onClose={() => setCreating(null)}
            onCreated={(client) => {
              setCreating(null);
              onChange(client);
            }}
            finalFocus={() => placeRef.current?.querySelector('input')}
          />
        )}
      </DialogPlace>
    </div>
  );
}

function ClientOption({ client }: { client: PickedClient }) {
  return (
    <span className="flex items-center justify-between gap-3">
      <span className="min-w-0">
        <span className="block truncate font-medium text-text">
          <bdi>{client.name}</bdi>
        </span>
        <span className="block truncate text-xs text-muted">
          <bdi>{client.company}</bdi>
        </span>
        <span className="block truncate text-xs text-muted">{client.email}</span>
      </span>
      {/* Only status active shows Activo; suspended and pending clients show Inactivo (D076). */}
      <ActiveBadge isActive={client.status === 'active'} />
    </span>
  );
}
