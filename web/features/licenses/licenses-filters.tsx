import { useQuery } from '@tanstack/react-query';
import { SEARCH_MAX } from '../../../contract/limits.ts';
import { licenseTypesQuery } from '../../components/catalogue-queries.ts';
import { choicesOf } from '../../components/choices.ts';
import { type LicensesSearch, readLicensesSearch } from '../../paths.ts';
import { filters, LICENSE_CATEGORY_LABELS, LICENSE_STATUS_LABELS } from '../../text/es.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';

const LICENSE_STATUSES = choicesOf(LICENSE_STATUS_LABELS);
const LICENSE_CATEGORIES = choicesOf(LICENSE_CATEGORY_LABELS);

interface LicensesFiltersProps {
  /** What is typed; it takes force a moment later. */
  text: string;
  onText: (text: string) => void;
  search: LicensesSearch;
  onNarrow: (changes: Partial<LicensesSearch>) => void;
}

/** Search and filters by status, type and validity (SEED-2.8-02 to -05, D060, D067, D117). */
export function LicensesFilters({ text, onText, search, onNarrow }: LicensesFiltersProps) {
  const { data: types = [] } = useQuery(licenseTypesQuery());
  const typeId = search.type !== undefined && /^\d+$/.test(search.type) ? search.type : null;
  const isKnownType = typeId === null || types.some(({ id }) => String(id) === typeId);
  return (
    <search data-print="hidden" className="flex flex-wrap gap-2 border-b border-border px-5 py-4">
      <SearchInput
        label={licenseTexts.searchLabel}
        placeholder={licenseTexts.search}
        value={text}
        onChange={onText}
        maxLength={SEARCH_MAX}
        className="min-w-48 flex-1 basis-64"
      />
      <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:w-full">
        <Select
          aria-label={licenseTexts.statusFilter}
          width="auto"
          value={search.status ?? ''}
          onChange={(event) =>
            onNarrow({ status: LICENSE_STATUSES.find((value) => value === event.target.value) })
          }
        >
          <option value="">{filters.allStatuses}</option>
          {LICENSE_STATUSES.map((status) => (
            <option key={status} value={status}>
              {LICENSE_STATUS_LABELS[status]}
            </option>
          ))}
        </Select>
        <Select
          aria-label={licenseTexts.typeFilter}
          width="auto"
          className="sm:max-w-60"
          value={search.type ?? ''}
          onChange={(event) => onNarrow({ type: readLicensesSearch({ type: event.target.value }).type })}
        >
          <option value="">{filters.allTypes}</option>
          <optgroup label={licenseTexts.categoryGroup}>
            {LICENSE_CATEGORIES.map((category) => (
              <option key={category} value={category}>
                {LICENSE_CATEGORY_LABELS[category]}
              </option>
            ))}
          </optgroup>
          {(types.length > 0 || typeId !== null) && (
            <optgroup label={licenseTexts.catalogueGroup}>
              {types.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
              {/* The list of types is on its way, or the type is gone: the filter in force must be seen all the same. */}
              {!isKnownType && <option value={typeId}>{licenseTexts.unknownType}</option>}
            </optgroup>
          )}
        </Select>
        <Select
          aria-label={licenseTexts.activeFilter}
          width="auto"
          value={search.active ?? ''}
          onChange={(event) =>
            onNarrow({ active: (['true', 'false'] as const).find((value) => value === event.target.value) })
          }
        >
          <option value="">{licenseTexts.active.all}</option>
          <option value="true">{licenseTexts.active.active}</option>
          <option value="false">{licenseTexts.active.inactive}</option>
        </Select>
      </div>
    </search>
  );
}
