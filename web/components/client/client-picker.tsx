import { useQuery } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import { normalizeForSearch } from '../../../contract/base/text.ts';
import { pickerTexts } from '../../text/es-forms.ts';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { SearchPicker } from '../../ui/search-picker.tsx';
import { useDebouncedSearch } from '../list/use-debounced-search.ts';
import { ActiveBadge } from '../record/badges.tsx';
import { clientPickerQuery, type PickedClient } from '../record/catalogue-queries.ts';
import { ClientQuickForm } from './client-quick-form.tsx';

/** The clients whose name, email or company contain the text, ignoring case and accents (SEED-2.3-14, D124). */
export function filterClients(clients: readonly PickedClient[], text: string): PickedClient[] {
  const wanted = normalizeForSearch(text);
  return clients.filter(({ name, email, company }) =>
    [name, email, company ?? ''].some((value) => normalizeForSearch(value).includes(wanted)),
  );
}

interface ClientPickerProps {
  value: PickedClient | null;
  onChange: (client: PickedClient | null) => void;
  onBlur?: () => void;
  inputRef?: Ref<HTMLInputElement>;
}

/** Picks a client by name, email or company, or creates the one that was not found; put it in a `Field` for its label (SEED-2.3-13 to -21). */
export function ClientPicker({ value, onChange, onBlur, inputRef }: ClientPickerProps) {
  const [search, setSearch] = useState('');
  const { text, setText } = useDebouncedSearch(search, setSearch);
  const { data = [], isFetching, error } = useQuery(clientPickerQuery(search));
  const waiting = isFetching || text.trim() !== search;
  /** The typed text of a client that is being created. */
  const [creating, setCreating] = useState<string | null>(null);
  const placeRef = useRef<HTMLDivElement>(null);
  return (
    <div ref={placeRef}>
      <SearchPicker
        items={filterClients(data, text)}
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
        create={{ label: pickerTexts.create, onCreate: setCreating }}
        placeholder={pickerTexts.placeholder}
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
        <span className="block truncate font-medium text-text">{client.name}</span>
        <span className="block truncate text-xs text-muted">{client.company}</span>
        <span className="block truncate text-xs text-muted">{client.email}</span>
      </span>
      {/* Only status active reads Activo; suspended and pending clients read Inactivo (D076). */}
      <ActiveBadge isActive={client.status === 'active'} />
    </span>
  );
}
