import { Check } from 'lucide-react';
import { cx } from './cx.ts';

interface StepsProps {
  /** The list's accessible name: 'Pasos'. */
  label: string;
  names: readonly string[];
  /** The index of the current step in `names`. */
  current: number;
  /** A word for screen readers after the name of a finished step. */
  doneWord: string;
}

/** The steps of a wizard: which are finished, and which one is open. The height is the same in every step. */
export const Steps = ({ label, names, current, doneWord }: StepsProps) => (
  <ol aria-label={label} className="grid auto-cols-fr grid-flow-col">
    {names.map((name, place) => {
      const isDone = place < current;
      const isCurrent = place === current;
      return (
        <li
          key={name}
          aria-current={isCurrent ? 'step' : undefined}
          className={cx(
            'relative flex flex-col items-center gap-1.5 text-center text-xs sm:text-sm',
            // The line to the previous step.
            place > 0 &&
              'before:absolute before:top-3.5 before:right-[calc(50%+1.25rem)] before:left-[calc(-50%+1.25rem)] before:h-0.5',
            place > 0 && (place <= current ? 'before:bg-brand' : 'before:bg-border'),
          )}
        >
          <span
            aria-hidden
            className={cx(
              'flex size-7 items-center justify-center rounded-full border text-xs font-semibold',
              isDone && 'border-brand bg-brand text-on-brand',
              isCurrent && 'border-brand bg-brand-tint text-brand-text',
              !isDone && !isCurrent && 'border-border-strong text-muted',
            )}
          >
            {isDone ? <Check className="size-4" /> : place + 1}
          </span>
          <span className={isCurrent ? 'font-semibold' : 'text-muted'}>
            {name}
            {isDone && <span className="sr-only">{` (${doneWord})`}</span>}
          </span>
        </li>
      );
    })}
  </ol>
);
