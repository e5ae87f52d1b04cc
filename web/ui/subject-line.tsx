import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import type { DialogSubject } from './dialog-props.ts';

export const SUBJECT_NAME_CLASS = 'min-w-0 font-semibold text-text wrap-anywhere';

interface SubjectLineProps extends Omit<DialogSubject, 'aside'> {
  /** The name as a heading. */
  name: ReactNode;
  /** True while a question is open beside the content: nothing else can be asked until it is answered. */
  isBlocked: boolean;
}

/** The name of a record below the title of its dialog or page, its state and the reason for it, and its actions. */
export function SubjectLine({ name, state, note, actions, isBlocked }: SubjectLineProps) {
  return (
    <div className="mt-2.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5 pointer-coarse:mt-3.5">
      <div className="min-w-0 max-sm:w-full">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {name}
          <div inert={isBlocked} className="contents">
            {state}
          </div>
        </div>
        {/* The length of the note must not decide whether the buttons fit beside the name. */}
        {note && (
          <div className="mt-1 w-0 min-w-full text-xs text-muted wrap-anywhere empty:hidden">{note}</div>
        )}
      </div>
      {actions && (
        <div
          inert={isBlocked}
          data-print="hidden"
          className={cx('flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1', isBlocked && 'opacity-50')}
        >
          {actions}
        </div>
      )}
    </div>
  );
}
