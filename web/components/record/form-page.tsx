import { Lock } from 'lucide-react';
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Offer, useOffers } from '../../api/offers.ts';
import { formPageTexts } from '../../text/es-forms.ts';
import { noPermissionTexts } from '../../text/es-layout.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import type { FormFailure } from './form-errors.ts';
import { FailureNote, FormMessages } from './form-messages.tsx';
import type { MergeState } from './use-edit-merge.ts';

interface FormPageProps {
  /** The accessible name. */
  label: string;
  /** The permission to save. Without it the form is read-only. */
  needs: Offer;
  saving: boolean;
  isDirty: boolean;
  onSubmit: NonNullable<ComponentProps<'form'>['onSubmit']>;
  onDiscard: () => void;
  /** These props are those of `FormDialog`. */
  guard: ReactNode;
  recovered: boolean;
  merge: MergeState | null;
  failure: FormFailure | null;
  children: ReactNode;
}

/** Keeps a focused element, and the error below it, above the sticky bar when the browser scrolls to it. */
const FORM_CLASS = 'space-y-4 [&_:is(input,select,textarea,button)]:scroll-mb-48';

/**
 * A form with `useRecordForm` on a page: its cards, and a bar with the buttons, which is there while something is
 * unsaved, and then always visible (DESK-09). Else a line says that all is saved.
 */
export function FormPage({
  label,
  needs,
  saving,
  isDirty,
  onSubmit,
  onDiscard,
  guard,
  recovered,
  merge,
  failure,
  children,
}: FormPageProps) {
  const failureId = useId();
  const line = useFocusKept(isDirty);
  const isAnyUnsaved = useUnsavedBeside(isDirty);
  const maySave = useOffers()(needs);
  if (!maySave) {
    return (
      <form aria-label={label} className={FORM_CLASS}>
        <Banner tone="info" icon={Lock}>
          {noPermissionTexts.readOnly}
        </Banner>
        <fieldset disabled className="min-w-0 space-y-4">
          {children}
        </fieldset>
      </form>
    );
  }
  return (
    // Ctrl+Enter presses the button of the form with this attribute (components/shortcuts).
    <form noValidate aria-label={label} data-shortcut="save" onSubmit={onSubmit} className={FORM_CLASS}>
      <FormMessages recovered={recovered} merge={merge} />
      {children}
      <div className={isDirty ? BAR_CLASS : cx('px-5', isAnyUnsaved && 'invisible')}>
        {isDirty && failure && <FailureNote id={failureId} {...failure} />}
        <p ref={line} role="status" tabIndex={-1} className="mr-auto text-muted outline-none max-sm:w-full">
          {isDirty ? formPageTexts.unsaved : formPageTexts.saved}
        </p>
        {isDirty && (
          <>
            <Button onClick={onDiscard} className="max-sm:flex-1">
              {formPageTexts.discard}
            </Button>
            <Button
              type="submit"
              variant="primary"
              busy={saving}
              busyLabel={formPageTexts.saving}
              aria-describedby={failure ? failureId : undefined}
              className="max-sm:flex-1"
            >
              {formPageTexts.save}
            </Button>
          </>
        )}
      </div>
      {guard}
    </form>
  );
}

const BAR_CLASS =
  'sticky bottom-2 z-10 flex flex-wrap items-center justify-end gap-2 rounded-xl border border-border bg-surface px-5 py-3 shadow-float';

/** How many forms of a page have changes, and what counts one more or less. */
const FormsOfPage = createContext<{ unsaved: number; add: (by: 1 | -1) => void } | null>(null);

/**
 * Around the forms of a page that has several: none of them says 'Todo está guardado' while another has changes. It is
 * no selector with `:has()`, which would cost new styles of the whole page for each element that is added anywhere.
 */
export function FormsTogether({ children }: { children: ReactNode }) {
  const [unsaved, setUnsaved] = useState(0);
  const value = useMemo(
    () => ({ unsaved, add: (by: 1 | -1) => setUnsaved((before) => before + by) }),
    [unsaved],
  );
  return <FormsOfPage value={value}>{children}</FormsOfPage>;
}

/** Counts the form while it has changes; true if any form of the page has some. */
function useUnsavedBeside(isDirty: boolean): boolean {
  const forms = use(FormsOfPage);
  const add = useRef(forms?.add);
  useEffect(() => {
    if (!isDirty) return;
    add.current?.(1);
    return () => add.current?.(-1);
  }, [isDirty]);
  return forms !== null && forms.unsaved > 0;
}

/** The line that gets the focus of a button of the bar when the bar goes, so that the keyboard stays in its place. */
function useFocusKept(isDirty: boolean) {
  const line = useRef<HTMLParagraphElement>(null);
  const was = useRef(isDirty);
  useEffect(() => {
    if (was.current && !isDirty && document.activeElement === document.body) {
      line.current?.focus({ preventScroll: true });
    }
    was.current = isDirty;
  }, [isDirty]);
  return line;
}
