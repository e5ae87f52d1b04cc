import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PASTED_MAX } from '../../../contract/base/limits.ts';
import { useDebouncedSearch } from '../../components/list/use-debounced-search.ts';
import { auditTexts } from '../../text/es-audit.ts';
import { Code } from '../../ui/code.tsx';
import { SearchPicker } from '../../ui/search-picker.tsx';
import { licenseNameQuery, licensesFoundQuery, type PickedLicense } from './audit.api.ts';

/** Picks a licence by its key or its client. The value is the licence's id, '' for none. */
export function LicensePicker({ id, onChange }: { id: string; onChange: (id: string) => void }) {
  const [picked, setPicked] = useState<PickedLicense | null>(null);
  const [search, setSearch] = useState('');
  const { text, setText } = useDebouncedSearch(search, (typed) => setSearch(typed.slice(0, PASTED_MAX)));
  const { data = [], isFetching, error } = useQuery(licensesFoundQuery(search));
  const { data: named } = useQuery({
    ...licenseNameQuery(Number(id)),
    enabled: id !== '' && picked === null,
  });
  return (
    <SearchPicker
      items={data}
      value={id === '' ? null : (picked ?? named ?? null)}
      onChange={(license) => {
        setPicked(license);
        onChange(license === null ? '' : String(license.id));
      }}
      onSearch={setText}
      itemKey={(license) => license.id}
      itemText={(license) => license.license_key}
      renderItem={(license) => (
        <span className="block min-w-0">
          <Code className="block truncate text-text">{license.license_key}</Code>
          <span className="block truncate text-xs text-muted">
            <bdi>{license.client_name}</bdi>
          </span>
        </span>
      )}
      loading={isFetching || text.trim() !== search}
      loadingText={auditTexts.searchingLicenses}
      emptyText={auditTexts.noLicenses}
      errorText={error === null ? undefined : error.message}
      placeholder={auditTexts.searchLicense}
      clearLabel={auditTexts.clearLicense}
    />
  );
}
