import { type ReactNode, useState } from 'react';
import { FiltersDialog } from '../../components/list/filters-dialog.tsx';
import { type Step, useApplied } from '../../components/list/use-applied.ts';
import { TagsField } from '../../components/tags/tags-field.tsx';
import { CLIENT_ORDERING_LABELS } from '../../text/es.ts';
import { FILTER_NAMES } from '../../text/es-lists.ts';
import { tagTexts } from '../../text/es-tags.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { type ClientsSearch, readClientsSearch } from './clients-search.ts';

interface ClientsMoreFiltersProps {
  search: ClientsSearch;
  quick: ReactNode;
  onNarrow: (changes: Partial<ClientsSearch>, step?: Step) => void;
  onClear: () => void;
  onClose: () => void;
}

/** The filters of the clients that have no select beside the search box. */
export function ClientsMoreFilters({ search, quick, onNarrow, onClear, onClose }: ClientsMoreFiltersProps) {
  const [texts, setTexts] = useState({ country: search.country ?? '', tag: search.tag ?? '' });
  const { now, forget, step } = useApplied(texts, (typed, step) => {
    const { country, tag } = readClientsSearch(typed);
    onNarrow({ country, tag }, step());
  });
  return (
    <FiltersDialog
      quick={quick}
      orderings={CLIENT_ORDERING_LABELS}
      ordering={search.ordering}
      onOrder={(ordering) => onNarrow({ ordering }, step())}
      onClear={() => {
        forget();
        onClear();
      }}
      onClose={() => {
        now();
        onClose();
      }}
    >
      <Field label={FILTER_NAMES.country}>
        <TextInput
          value={texts.country}
          onChange={({ target }) => setTexts({ ...texts, country: target.value })}
        />
      </Field>
      <TagsField
        label={FILTER_NAMES.tag}
        help={tagTexts.filterHelp}
        on="clients"
        value={texts.tag}
        onChange={(tag) => setTexts({ ...texts, tag })}
      />
    </FiltersDialog>
  );
}
