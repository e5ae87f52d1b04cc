import { type ReactNode, useState } from 'react';
import { ChosenClient } from '../../components/client/chosen-client.tsx';
import { FiltersDialog } from '../../components/list/filters-dialog.tsx';
import { type Step, useApplied } from '../../components/list/use-applied.ts';
import { DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { DateInput } from '../../ui/text-input.tsx';
import { type ReceivedSearch, readReceivedSearch } from './payments-search.ts';
import { receivedTexts as texts } from './payments-texts.ts';

interface ReceivedFiltersProps {
  search: ReceivedSearch;
  quick: ReactNode;
  onNarrow: (changes: Pick<ReceivedSearch, 'client' | 'from' | 'to'>, step?: Step) => void;
  onClear: () => void;
  onClose: () => void;
}

/** The dialog 'Filtros' of the payments: by client and days. */
export function ReceivedFilters({ search, quick, onNarrow, onClear, onClose }: ReceivedFiltersProps) {
  const [requested, setRequested] = useState({
    client: search.client === undefined ? '' : String(search.client),
    from: search.from ?? '',
    to: search.to ?? '',
  });
  const set = (changes: Partial<typeof requested>) => setRequested((before) => ({ ...before, ...changes }));
  const { now, forget } = useApplied(requested, (chosen, step) => {
    const { client, from, to } = readReceivedSearch(chosen);
    onNarrow({ client, from, to }, step());
  });
  return (
    <FiltersDialog
      quick={quick}
      onClear={() => {
        forget();
        onClear();
      }}
      onClose={() => {
        now();
        onClose();
      }}
    >
      <DialogSection title={texts.filters.client} columns={1}>
        <Field label={texts.filters.client}>
          <ChosenClient id={requested.client} onChange={(client) => set({ client })} />
        </Field>
      </DialogSection>
      <DialogSection title={texts.days}>
        <Field label={texts.filters.from}>
          <DateInput value={requested.from} onChange={({ target }) => set({ from: target.value })} />
        </Field>
        <Field label={texts.filters.to}>
          <DateInput value={requested.to} onChange={({ target }) => set({ to: target.value })} />
        </Field>
      </DialogSection>
    </FiltersDialog>
  );
}
