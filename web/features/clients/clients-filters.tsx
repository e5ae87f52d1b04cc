import { SEARCH_MAX } from '../../../contract/limits.ts';
import { choicesOf } from '../../components/choices.ts';
import type { ClientsSearch } from '../../paths.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, filters } from '../../text/es.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';

const CLIENT_STATUSES = choicesOf(CLIENT_STATUS_LABELS);
const CLIENT_TYPES = choicesOf(CLIENT_TYPE_LABELS);

interface ClientsFiltersProps {
  /** What is typed; it takes force a moment later. */
  text: string;
  onText: (text: string) => void;
  search: ClientsSearch;
  onNarrow: (changes: Partial<ClientsSearch>) => void;
}

/** Search and filters by status and type (SEED-2.6-03 to -05, D117). */
export function ClientsFilters({ text, onText, search, onNarrow }: ClientsFiltersProps) {
  return (
    <search data-print="hidden" className="flex flex-wrap gap-2 border-b border-border px-5 py-4">
      <SearchInput
        label={clientTexts.searchLabel}
        placeholder={clientTexts.search}
        value={text}
        onChange={onText}
        maxLength={SEARCH_MAX}
        className="min-w-48 flex-1 basis-64"
      />
      <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:w-full">
        <Select
          aria-label={clientTexts.statusFilter}
          width="auto"
          value={search.status ?? ''}
          onChange={({ target }) =>
            onNarrow({ status: CLIENT_STATUSES.find((value) => value === target.value) })
          }
        >
          <option value="">{filters.allStatuses}</option>
          {CLIENT_STATUSES.map((status) => (
            <option key={status} value={status}>
              {CLIENT_STATUS_LABELS[status]}
            </option>
          ))}
        </Select>
        <Select
          aria-label={clientTexts.typeFilter}
          width="auto"
          value={search.type ?? ''}
          onChange={({ target }) => onNarrow({ type: CLIENT_TYPES.find((value) => value === target.value) })}
        >
          <option value="">{filters.allTypes}</option>
          {CLIENT_TYPES.map((type) => (
            <option key={type} value={type}>
              {CLIENT_TYPE_LABELS[type]}
            </option>
          ))}
        </Select>
      </div>
    </search>
  );
}
