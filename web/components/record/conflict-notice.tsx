import { useEffect, useRef } from 'react';
import { conflictTexts } from '../../text/es-forms.ts';
import { Banner } from '../../ui/banner.tsx';
import { RadioChoices } from '../../ui/radio-choices.tsx';

export type ConflictChoice = 'mine' | 'theirs';

/** One field that both people changed, with its values as texts. */
export interface ConflictQuestion {
  field: string;
  label: string;
  mine: string;
  theirs: string;
  choice: ConflictChoice | null;
}

interface ConflictNoticeProps {
  questions: readonly ConflictQuestion[];
  /** The labels of the fields that were merged automatically. */
  taken: readonly string[];
  onChoose: (field: string, choice: ConflictChoice) => void;
  /**
   * How often the form was submitted while a question was unanswered. Each time the first such question shows an error
   * and gets the focus.
   */
  reminders: number;
}

/**
 * Shown in a form if another person saved the record first (412 'stale') and both people changed the same field. It
 * asks which value to keep, for each such field. The form's save button saves the answers. Give it a new `key` for
 * each merge.
 */
export function ConflictNotice({ questions, taken, onChoose, reminders }: ConflictNoticeProps) {
  const box = useRef<HTMLDivElement>(null);

  // The save button is below the notice, so the notice is scrolled into view.
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
