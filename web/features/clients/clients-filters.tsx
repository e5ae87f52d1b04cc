import { FilterSelect } from '../../components/list/filter-select.tsx';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, filters } from '../../text/es.ts';
import { clientTexts } from '../../text/es-clients.ts';
import type { ClientsSearch } from './clients-search.ts';

interface ClientsFiltersProps {
  search: ClientsSearch;
  onNarrow: (changes: Partial<ClientsSearch>) => void;
}

/** Filters by status and type (SEED-2.6-04, SEED-2.6-05, D117). */
export const ClientsFilters = ({ search, onNarrow }: ClientsFiltersProps) => (
  <>
    <FilterSelect
      label={clientTexts.statusFilter}
      all={filters.allStatuses}
      choices={CLIENT_STATUS_LABELS}
      value={search.status}
      onChange={(status) => onNarrow({ status })}
    />
    <FilterSelect
      label={clientTexts.typeFilter}
      all={filters.allTypes}
      choices={CLIENT_TYPE_LABELS}
      value={search.type}
      onChange={(type) => onNarrow({ type })}
    />
  </>
);
