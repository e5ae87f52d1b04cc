import { useEffect, useRef } from 'react';
import { conflictTexts } from '../../text/es.ts';
import { Banner } from '../../ui/banner.tsx';
import { RadioChoices } from '../../ui/radio-choices.tsx';

export type ConflictChoice = 'mine' | 'theirs';

/** One field that both people changed, in words as the screen shows them. */
export interface ConflictQuestion {
  field: string;
  label: string;
  mine: string;
  theirs: string;
  choice: ConflictChoice | null;
}

interface ConflictNoticeProps {
  questions: readonly ConflictQuestion[];
  /** The labels of the fields that took the other person's value by themselves. */
  taken: readonly string[];
  onChoose: (field: string, choice: ConflictChoice) => void;
  /** How often the form was sent while a question was open: the first open one is said to be so, and gets the focus. */
  reminders: number;
}

/**
 * Shown in a form when someone else saved the record first (412 'stale') and both changed the same field: each such
 * field is asked about. The form's own button saves the answers; nothing here does. Give it a key for each round.
 */
export function ConflictNotice({ questions, taken, onChoose, reminders }: ConflictNoticeProps) {
  const box = useRef<HTMLDivElement>(null);

  // Whoever pressed the button below sees what is asked above.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'start' });
    box.current?.querySelector('input')?.focus({ preventScroll: true });
  }, []);

  useEffect(() => {
    if (reminders > 0) box.current?.querySelector<HTMLElement>('[aria-invalid] input')?.focus();
  }, [reminders]);

  return (
    <div ref={box} className="scroll-mt-5">
      <Banner tone="warning" title={conflictTexts.title} announce="alert">
        <p>{conflictTexts.question(questions.length)}</p>
        <ul className="mt-3 space-y-2">
          {questions.map(({ field, label, mine, theirs, choice }) => (
            <li key={field} className="rounded-md bg-surface px-3 py-2">
              <RadioChoices
                label={label}
                choices={[
                  { value: 'mine', label: conflictTexts.keepMine, text: mine || conflictTexts.empty },
                  { value: 'theirs', label: conflictTexts.useTheirs, text: theirs || conflictTexts.empty },
                ]}
                value={choice}
                onChange={(chosen) => onChoose(field, chosen)}
                error={reminders > 0 && choice === null ? conflictTexts.unanswered : undefined}
              />
            </li>
          ))}
        </ul>
        {taken.length > 0 && <p className="mt-3">{conflictTexts.taken(taken)}</p>}
      </Banner>
    </div>
  );
}
