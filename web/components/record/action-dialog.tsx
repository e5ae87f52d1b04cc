import { type ChangeEvent, type ComponentProps, type FormEvent, type ReactNode, useState } from 'react';
import { ApiError, CalledOff, errorMessage } from '../../api/api-error.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { ConfirmDiscard } from './confirm-discard.tsx';
import { focusFirstWrong } from './focus-wrong.ts';
import { FormDialog } from './form-dialog.tsx';
import { type FormFailure, logSaveError } from './form-errors.ts';
import { useLeaveGuard } from './leave-guard.tsx';

/** The messages of wrong fields, by field. */
export type FieldMessages = Partial<Record<string, string>>;

/** The names of the values that are text. */
type TextName<Values> = {
  [Name in keyof Values & string]: Values[Name] extends string ? Name : never;
}[keyof Values & string];

interface ActionForm<Values> {
  values: Values;
  errors: FieldMessages;
  change: (changes: Partial<Values>) => void;
  /** The props of a text input. */
  field: (name: TextName<Values>) => {
    value: string;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
}

interface ActionDialogProps<Values>
  extends Pick<
    ComponentProps<typeof FormDialog>,
    'size' | 'submitVariant' | 'closeLabel' | 'finalFocus' | 'onClose'
  > {
  words: { title: string; submit: string; busy: string; failed: string };
  blank: Values;
  /** Returns the errors that are known before anything is sent. */
  check: (values: Values) => FieldMessages;
  /** Sends the form, closes the dialog and reports. A failure is shown at its field, else above the buttons. */
  send: (values: Values) => Promise<void>;
  /** False: closing discards what was typed without a question. */
  asksToDiscard?: boolean;
  /** What the action will do, above the buttons. */
  preview?: (values: Values) => ReactNode;
  children: (form: ActionForm<Values>) => ReactNode;
}

/** The dialog of an action with fields, which are no record: on a licence, a payment or a request for one. */
export function ActionDialog<Values extends object>({
  words,
  blank,
  check,
  send,
  asksToDiscard = true,
  preview,
  onClose,
  children,
  ...frame
}: ActionDialogProps<Values>) {
  const [initial] = useState(blank);
  const [values, setValues] = useState(blank);
  const [errors, setErrors] = useState<FieldMessages>({});
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const [isAsking, setIsAsking] = useState(false);

  const [run, saving] = useOneAtATime(async (form: EventTarget) => {
    const wrong = check(values);
    setErrors(wrong);
    setFailure(null);
    if (Object.values(wrong).some(Boolean)) return focusFirstWrong(form);
    try {
      await send(values);
    } catch (error) {
      if (error instanceof CalledOff) return;
      logSaveError(words.failed, error);
      const named = error instanceof ApiError ? error.fieldErrors : {};
      const own = Object.entries(named).filter(([field]) => field in initial);
      setErrors(Object.fromEntries(own.map(([field, messages]) => [field, messages.join(' ')])));
      if (own.length > 0) focusFirstWrong(form);
      else setFailure({ title: words.failed, message: errorMessage(error) });
    }
  });

  const change = (changes: Partial<Values>) => {
    setValues((now) => ({ ...now, ...changes }));
    // A message stands until its field is edited.
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !(field in changes))));
  };
  const field: ActionForm<Values>['field'] = (name) => ({
    // The casts are safe: `name` is that of a text, and the change has only it.
    value: values[name] as string,
    onChange: ({ target }) => change({ [name]: target.value } as Partial<Values>),
  });
  const isDirty =
    asksToDiscard &&
    (Object.keys(initial) as (keyof Values)[]).some((name) => values[name] !== initial[name]);
  // `ofPath`: another tab of the data beside the form does not close it, but a link to another path does.
  const guard = useLeaveGuard(isDirty, { ofPath: true });
  return (
    <FormDialog
      {...frame}
      title={words.title}
      submitLabel={words.submit}
      busyLabel={words.busy}
      saving={saving}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void run(event.currentTarget);
      }}
      onClose={() => (isDirty ? setIsAsking(true) : onClose())}
      guard={
        <>
          {guard.dialog}
          <ConfirmDiscard open={isAsking} onDiscard={onClose} onKeep={() => setIsAsking(false)} />
        </>
      }
      failure={failure}
      summary={preview?.(values)}
    >
      {children({ values, errors, change, field })}
    </FormDialog>
  );
}

type Issues = { issues: readonly { path: readonly PropertyKey[]; message: string }[] };

/** The first message of each wrong field, of what a schema found; empty if it found nothing. */
export function messagesOf(error: Issues | undefined): FieldMessages {
  const messages: FieldMessages = {};
  for (const { path, message } of error?.issues ?? []) messages[String(path[0])] ??= message;
  return messages;
}
