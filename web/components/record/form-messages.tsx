import { conflictTexts, recoveredText } from '../../text/es-forms.ts';
import { Banner } from '../../ui/banner.tsx';
import { ConflictNotice } from './conflict-notice.tsx';
import type { FormFailure } from './form-errors.ts';
import type { MergeState } from './use-edit-merge.ts';

interface FormMessagesProps {
  /** The form was restored from a draft. */
  recovered: boolean;
  /** The merge with another person's save and its questions (D091); null when there is none. */
  merge: MergeState | null;
}

/** What a form with `useRecordForm` says above its fields. */
export function FormMessages({ recovered, merge }: FormMessagesProps) {
  return (
    <>
      {recovered && <Banner tone="info">{recoveredText}</Banner>}
      {merge && merge.questions.length > 0 && <ConflictNotice key={merge.round} {...merge} />}
      {merge && merge.questions.length === 0 && merge.taken.length > 0 && (
        <Banner tone="info" announce="status">
          {conflictTexts.taken(merge.taken)}
        </Banner>
      )}
    </>
  );
}

/** The failure above the buttons, visible at any scroll position. The toast announces it; it describes the button. */
export function FailureNote({ id, title, message }: FormFailure & { id: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups words, and a fieldset is for controls.
    <div role="group" aria-label={title} className="min-w-full">
      {/* A separate element: with a label on the group, the button's description would be the label only. */}
      <div id={id}>
        <Banner tone="critical" title={title}>
          <p className="wrap-anywhere">{message}</p>
        </Banner>
      </div>
    </div>
  );
}
