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
  const [wanted, setWanted] = useState({
    client: search.client === undefined ? '' : String(search.client),
    from: search.from ?? '',
    to: search.to ?? '',
  });
  const set = (changes: Partial<typeof wanted>) => setWanted((before) => ({ ...before, ...changes }));
  const { now, forget } = useApplied(wanted, (chosen, step) => {
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
          <ChosenClient id={wanted.client} onChange={(client) => set({ client })} />
        </Field>
      </DialogSection>
      <DialogSection title={texts.days}>
        <Field label={texts.filters.from}>
          <DateInput value={wanted.from} onChange={({ target }) => set({ from: target.value })} />
        </Field>
        <Field label={texts.filters.to}>
          <DateInput value={wanted.to} onChange={({ target }) => set({ to: target.value })} />
        </Field>
      </DialogSection>
    </FiltersDialog>
  );
}
