import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { filters as filterWords } from '../../text/es.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import type { ListDefinition, Listed, ListSearch } from './list-definition.ts';

interface ListEmptyProps {
  definition: Pick<ListDefinition<Listed, ListSearch>, 'texts' | 'icon'>;
  isNarrowed: boolean;
  onClear: () => void;
  /** Opens the form; undefined if the person lacks the permission. */
  onCreate: (() => void) | undefined;
  /** The primary button, for a list that has no special button for the first row. */
  create: ReactNode;
  /** Shown beside the button for the first row. */
  importLink: ReactNode;
}

/** A list without rows: explains what the list is for, or that nothing matches its search and filters. */
export function ListEmpty({
  definition: { texts, icon },
  isNarrowed,
  onClear,
  onCreate,
  create,
  importLink,
}: ListEmptyProps) {
  if (isNarrowed) {
    const { nothing = texts.empty, nothingHint } = texts;
    return (
      <EmptyState
        icon={icon}
        title={nothing}
        hint={
          nothingHint ?? (
            <>
              {`${filterWords.nothingFits} `}
              {texts.emptyHint}
            </>
          )
        }
        action={<Button onClick={onClear}>{filterWords.clear}</Button>}
      />
    );
  }
  const first = onCreate && texts.createFirst !== undefined && (
    <div className="flex flex-wrap justify-center gap-2">
      <Button variant="primary" icon={Plus} onClick={onCreate}>
        {texts.createFirst}
      </Button>
      {importLink}
    </div>
  );
  return <EmptyState icon={icon} title={texts.empty} hint={texts.emptyHint} action={first || create} />;
}
