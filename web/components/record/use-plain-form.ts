import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { ApiError, CalledOff, errorMessage } from '../../api/api-error.ts';
import { waitText } from '../../text/es-auth.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';

type Errors<Values> = Partial<Record<keyof Values, string | undefined>>;

interface PlainFormOptions<Values> {
  /** The initial values; their keys are the fields from top to bottom. */
  blank: Values;
  /** Returns the errors that are known before anything is sent, by field. */
  check: (values: Values) => Errors<Values>;
  send: (values: Values) => Promise<void>;
  /** @returns true for a failure that the caller shows itself */
  onFailure?: (error: unknown) => boolean;
}

/**
 * A form with a few text fields that are not a record, such as passwords and codes. It needs no form library. Fields
 * are checked on submit, and editing a field clears its message. The server's errors are shown at their fields, any
 * other failure is in `failure`. The first invalid field gets the focus.
 */
export function usePlainForm<Values extends Record<string, string>>({
  blank,
  check,
  send,
  onFailure,
}: PlainFormOptions<Values>) {
  const [values, setValues] = useState(blank);
  const [errors, setErrors] = useState<Errors<Values>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const formRef = useRef<HTMLFormElement>(null);

  const showErrors = (found: Errors<Values>) => {
    setErrors(found);
    const first = Object.keys(blank).find((field) => found[field] !== undefined);
    if (first) formRef.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  };

  const [run, busy] = useOneAtATime(async () => {
    setErrors({});
    setFailure(null);
    try {
      await send(values);
    } catch (error) {
      if (error instanceof CalledOff || onFailure?.(error)) return;
      const found = fieldErrors<Values>(error, blank);
      if (Object.keys(found).length > 0) return showErrors(found);
      setFailure(failureText(error));
    }
  });

  return {
    values,
    busy,
    failure,
    error: (name: keyof Values & string) => errors[name],
    /** Sets the value of one field. */
    set: (name: keyof Values & string, value: string) => {
      setValues((before) => ({ ...before, [name]: value }));
      setErrors((before) => ({ ...before, [name]: undefined }));
    },
    /** The props of a text input. */
    field: (name: keyof Values & string) => ({
      name,
      value: values[name],
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
        setValues((before) => ({ ...before, [name]: target.value }));
        setErrors((before) => ({ ...before, [name]: undefined }));
      },
    }),
    /** Empties the form, or sets new values. */
    reset: (next: Values = blank) => {
      setValues(next);
      setErrors({});
      setFailure(null);
    },
    form: {
      ref: formRef,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        if (busy) return;
        const found = check(values);
        if (Object.values(found).some((message) => message !== undefined)) return showErrors(found);
        void run();
      },
    },
  };
}

/** The server's messages for fields that the form has. */
function fieldErrors<Values extends Record<string, string>>(error: unknown, blank: Values): Errors<Values> {
  if (!(error instanceof ApiError)) return {};
  const found: Errors<Values> = {};
  for (const name of Object.keys(blank) as (keyof Values & string)[]) {
    const messages = error.fieldErrors[name];
    if (messages !== undefined) found[name] = messages.join(' ');
  }
  return found;
}

/** The message of a failure. After too many attempts it includes when to try again. */
function failureText(error: unknown): string {
  const message = errorMessage(error);
  const wait = error instanceof ApiError ? error.retryAfter : null;
  return wait === null ? message : `${message} ${waitText(wait, new Date())}`;
}
