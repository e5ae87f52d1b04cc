import { conflictTexts, recoveredText } from '../../text/es-forms.ts';
import { Banner } from '../../ui/banner.tsx';
import { ConflictNotice } from './conflict-notice.tsx';
import type { FormFailure } from './form-errors.ts';
import type { MergeState } from './use-edit-merge.ts';

interface FormMessagesProps {
  /** True if the form was restored from a draft. */
  recovered: boolean;
  /** The merge with a save of another person, and its questions (D091); null if there is none. */
  merge: MergeState | null;
}

/** The messages above the fields of a form with `useRecordForm`. */
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

/**
 * The failure, shown above the buttons so that it is visible at any scroll position. It is announced to screen readers
 * by its toast, or if there is none, by this element, which is also the description of the save button.
 */
export function FailureNote({ id, title, message, inToast = false }: FormFailure & { id: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups words, and a fieldset is for controls.
    <div role="group" aria-label={title} className="min-w-full">
      {/* A separate element for the id: if the group itself described the button, screen readers would read only
          its label. */}
      <div id={id}>
        <Banner tone="critical" title={title} announce={inToast ? 'none' : 'alert'}>
          <p className="wrap-anywhere">{message}</p>
        </Banner>
      </div>
    </div>
  );
}
