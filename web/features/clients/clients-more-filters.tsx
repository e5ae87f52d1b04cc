import { type ReactNode, useState } from 'react';
import { FiltersDialog } from '../../components/list/filters-dialog.tsx';
import { CLIENT_ORDERING_LABELS } from '../../text/es.ts';
import { FILTER_NAMES } from '../../text/es-lists.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { type ClientsSearch, readClientsSearch } from './clients-search.ts';

interface ClientsMoreFiltersProps {
  search: ClientsSearch;
  quick: ReactNode;
  onNarrow: (changes: Partial<ClientsSearch>) => void;
  onClear: () => void;
  onClose: () => void;
}

/** The filters of the clients that have no select beside the search. */
export function ClientsMoreFilters({ search, quick, onNarrow, onClear, onClose }: ClientsMoreFiltersProps) {
  const [country, setCountry] = useState(search.country ?? '');
  return (
    <FiltersDialog
      quick={quick}
      orderings={CLIENT_ORDERING_LABELS}
      ordering={search.ordering}
      onApply={(ordering) => {
        onNarrow({ country: readClientsSearch({ country }).country, ordering });
        return true;
      }}
      onClear={onClear}
      onClose={onClose}
    >
      <Field label={FILTER_NAMES.country}>
        <TextInput value={country} onChange={({ target }) => setCountry(target.value)} />
      </Field>
    </FiltersDialog>
  );
}
