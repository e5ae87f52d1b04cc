import { type FormEvent, type ReactNode, useState } from 'react';
import { actions, filters as filterWords } from '../../text/es.ts';
import { filterDialogTexts } from '../../text/es-filters.ts';
import { filterTexts } from '../../text/es-lists.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog, DialogSection } from '../../ui/dialog.tsx';
import type { DialogSize } from '../../ui/dialog-look.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';

interface FiltersDialogProps {
  /** The filters that stand beside the search; on a phone they are only here. */
  quick?: ReactNode;
  /** The orders of the list by their names on the wire; without them it has one order. */
  orderings?: Readonly<Record<string, string>>;
  ordering?: string | undefined;
  size?: DialogSize;
  /** Applies the fields below, with the order; false when a field is wrong. */
  onApply: (ordering: string | undefined) => boolean;
  onClear: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The dialog 'Filtros' of a list: on a phone a sheet. Its fields are applied together, as one step of the history. */
export function FiltersDialog({
  quick,
  orderings,
  ordering,
  size = 'md',
  onApply,
  onClear,
  onClose,
  children,
}: FiltersDialogProps) {
  const [name, setName] = useState(ordering?.replace(/^-/, '') ?? '');
  const [descending, setDescending] = useState(ordering?.startsWith('-') ?? false);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const wanted = name === '' ? undefined : `${descending ? '-' : ''}${name}`;
    if (onApply(wanted)) onClose();
  };
  return (
    <Dialog
      open
      title={filterTexts.more}
      size={size}
      onClose={onClose}
      onSubmit={apply}
      footer={
        <>
          <Button
            onClick={() => {
              onClear();
              onClose();
            }}
          >
            {filterWords.clear}
          </Button>
          <Button onClick={onClose}>{actions.cancel}</Button>
          <Button type="submit" variant="primary">
            {filterDialogTexts.apply}
          </Button>
        </>
      }
    >
      {quick && (
        <div className="sm:hidden">
          <DialogSection
            title={filterDialogTexts.quick}
            description={filterDialogTexts.quickHint}
            columns={1}
          >
            {quick}
          </DialogSection>
        </div>
      )}
      {children}
      {orderings && (
        <DialogSection title={filterDialogTexts.sections.order}>
          <Field label={filterDialogTexts.order}>
            <Select
              value={name}
              onChange={({ target }) => setName(target.value)}
              none={filterDialogTexts.defaultOrder}
              choices={Object.entries(orderings)}
            />
          </Field>
          <Checkbox
            label={filterDialogTexts.descending}
            className="sm:pt-7"
            checked={descending}
            disabled={name === ''}
            onChange={({ target }) => setDescending(target.checked)}
          />
        </DialogSection>
      )}
    </Dialog>
  );
}
