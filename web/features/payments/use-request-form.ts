import { type FormEvent, useState } from 'react';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { focusFirstWrong } from '../../components/record/focus-wrong.ts';
import { type FormFailure, logSaveError } from '../../components/record/form-errors.ts';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';

type Errors<Values> = Partial<Record<keyof Values, string | undefined>>;

interface RequestFormOptions<Values> {
  blank: Values;
  /** Returns the errors that are known before anything is sent, by field. */
  check: (values: Values) => Errors<Values>;
  /** Sends the form. A failure is shown at its field, else above the buttons. */
  send: (values: Values) => Promise<void>;
  failed: string;
}

/** The form of an action on a payment request or a payment. */
export function useRequestForm<Values extends Record<string, string>>({
  blank,
  check,
  send,
  failed,
}: RequestFormOptions<Values>) {
  const [values, setValues] = useState(blank);
  const [errors, setErrors] = useState<Errors<Values>>({});
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const [run, saving] = useOneAtATime(async (form: EventTarget) => {
    const wrong = check(values);
    setErrors(wrong);
    setFailure(null);
    if (Object.values(wrong).some(Boolean)) return focusFirstWrong(form);
    try {
      await send(values);
    } catch (error) {
      logSaveError(failed, error);
      const named = error instanceof ApiError ? error.fieldErrors : {};
      const own = Object.keys(named).filter((field) => field in blank);
      setErrors(Object.fromEntries(own.map((field) => [field, named[field]!.join(' ')])) as Errors<Values>);
      if (own.length > 0) focusFirstWrong(form);
      else setFailure({ title: failed, message: errorMessage(error) });
    }
  });
  return {
    values,
    errors,
    change: (changes: Partial<Values>) => setValues((now) => ({ ...now, ...changes })),
    dialog: {
      saving,
      failure,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        void run(event.currentTarget);
      },
    },
  };
}
