import type { ReactNode } from 'react';
import { filters as filterWords } from '../../text/es.ts';
import { filterDialogTexts } from '../../text/es-filters.ts';
import { filterTexts } from '../../text/es-lists.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog, DialogSection } from '../../ui/dialog.tsx';
import type { DialogSize } from '../../ui/dialog-look.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';

interface FiltersDialogProps {
  /** The filters beside the search box. A phone shows them only in this dialog. */
  quick?: ReactNode;
  /** The sort orders of the list by their API names. Absent: the list has one order. */
  orderings?: Readonly<Record<string, string>>;
  ordering?: string | undefined;
  size?: DialogSize;
  onOrder?: (ordering: string | undefined) => void;
  onClear: () => void;
  onClose: () => void;
  children: ReactNode;
}

/**
 * The dialog 'Filtros' of a list, on a phone a sheet. Like the filters beside the search box, each field is applied as
 * soon as it is changed (use-applied.ts).
 */
export function FiltersDialog({
  quick,
  orderings,
  ordering,
  size = 'md',
  onOrder,
  onClear,
  onClose,
  children,
}: FiltersDialogProps) {
  const name = ordering?.replace(/^-/, '') ?? '';
  const descending = ordering?.startsWith('-') ?? false;
  const order = (by: string, isDescending: boolean) =>
    onOrder?.(by === '' ? undefined : `${isDescending ? '-' : ''}${by}`);
  return (
    <Dialog
      open
      title={filterTexts.more}
      size={size}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        onClose();
      }}
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
          <Button type="submit" variant="primary">
            {filterDialogTexts.done}
          </Button>
        </>
      }
    >
      {quick && (
        <div className="sm:hidden">
          <DialogSection title={filterDialogTexts.quick} columns={1}>
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
              onChange={({ target }) => order(target.value, descending)}
              none={filterDialogTexts.defaultOrder}
              choices={Object.entries(orderings)}
            />
          </Field>
          <Checkbox
            label={filterDialogTexts.descending}
            className="sm:pt-7"
            checked={descending}
            disabled={name === ''}
            onChange={({ target }) => order(name, target.checked)}
          />
        </DialogSection>
      )}
    </Dialog>
  );
}
