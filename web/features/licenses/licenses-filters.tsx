import { useQuery } from '@tanstack/react-query';
import { LICENSE_CATEGORY_LABELS, LICENSE_STATUS_LABELS } from '../../../contract/licenses/license-words.ts';
import { type LicensesSearch, readLicensesSearch } from '../../components/license/licenses-search.ts';
import { FilterSelect } from '../../components/list/filter-select.tsx';
import { licenseTypesQuery } from '../../components/record/catalogue-queries.ts';
import { choicesOf } from '../../components/record/choices.ts';
import { filters } from '../../text/es.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { Select } from '../../ui/select.tsx';

const LICENSE_CATEGORIES = choicesOf(LICENSE_CATEGORY_LABELS);
const { all: allOfActive, active, inactive } = licenseTexts.active;
const ACTIVE_LABELS = { true: active, false: inactive };

interface LicensesFiltersProps {
  search: LicensesSearch;
  onNarrow: (changes: Partial<LicensesSearch>) => void;
}

/** Filters by status, type and validity (SEED-2.8-03 to -05, D060, D067, D117). */
export function LicensesFilters({ search, onNarrow }: LicensesFiltersProps) {
  return (
    <>
      <FilterSelect
        label={licenseTexts.statusFilter}
        all={filters.allStatuses}
        choices={LICENSE_STATUS_LABELS}
        value={search.status}
        onChange={(status) => onNarrow({ status })}
      />
      <TypeFilter search={search} onNarrow={onNarrow} />
      <FilterSelect
        label={licenseTexts.activeFilter}
        all={allOfActive}
        choices={ACTIVE_LABELS}
        value={search.active}
        onChange={(active) => onNarrow({ active })}
      />
    </>
  );
}

/** The categories are fixed; the types are fetched. */
function TypeFilter({ search, onNarrow }: LicensesFiltersProps) {
  const { data: types = [] } = useQuery(licenseTypesQuery());
  const typeId = search.type !== undefined && /^\d+$/.test(search.type) ? search.type : null;
  const isKnownType = typeId === null || types.some(({ id }) => String(id) === typeId);
  return (
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
          {/* While the types load, or if the type was deleted, the active filter must be visible too. */}
          {!isKnownType && <option value={typeId}>{licenseTexts.unknownType}</option>}
        </optgroup>
      )}
    </Select>
  );
}
