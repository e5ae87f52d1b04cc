import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type UseFormReturn,
  type UseFormSetError,
  useForm,
  useWatch,
} from 'react-hook-form';
import { ApiError } from '../../api/api-error.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { toasts } from '../../ui/toasts.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { type FormFailure, logSaveError, reportSaveError } from './form-errors.ts';
import { useLeaveGuard } from './leave-guard.tsx';
import type { MergeRules } from './merge-edits.ts';
import { type FormIssue, saveEdits, type Versioned } from './save-edits.ts';
import { useEditMerge } from './use-edit-merge.ts';
import { useDraft, useFoundDraft } from './use-form-draft.ts';

/** The headers of a save: the Idempotency-Key of a POST, or the version of a PUT. */
export interface SaveContext {
  headers: Record<string, string>;
  updatedAt: string | null;
}

/** The schema of a form: its input are form texts, its output is the request body. */
type FormSchema<Values, Payload> = Parameters<
  typeof standardSchemaResolver<Values & FieldValues, unknown, Payload>
>[0];

interface RecordFormOptions<Values, Payload, Saved extends Versioned> {
  /** Creates the schema for the base record, which a merge may replace with a newer version. */
  schema: (base: Saved | null) => FormSchema<Values, Payload>;
  /** The form's unique name, by which its draft is found; null: no drafts are stored. */
  name: string | null;
  /** The fields from top to bottom, with their Spanish labels. */
  labels: Readonly<Record<Path<Values & FieldValues>, string>>;
  /** The record to edit; null creates one. If a newer version arrives, an unchanged form shows it. */
  record: Saved | null;
  blank: Values;
  toForm: (record: Saved) => Values;
  /** Sends the body; resolves after the lists were refetched. */
  save: (payload: Payload, context: SaveContext) => Promise<unknown>;
  texts: {
    /** Null from the function: no toast, because the dialog that follows says it. */
    created: string | ((payload: Payload) => string | null);
    updated: string;
    createFailed: string;
    updateFailed: string;
    /**
     * True if the form shows a failure that concerns no field. Then no toast repeats it (DESK-09); those of the four
     * kinds of the specification come always (D028).
     */
    failsInForm?: boolean;
  };
  /** A value as text, for the questions about conflicts. */
  show?: (field: string, value: unknown) => string;
  /** The rules by which a merge compares the fields. */
  merging?: MergeRules<Values>;
  /** For a form on a page: after a save it stays open and shows the stored record, which `save` must return. */
  stays?: boolean;
  /** Closes the dialog. */
  onSaved?: () => void;
}

/**
 * The state of a form that creates or edits one record. It validates on submit, and after that on blur. It runs one
 * save at a time. Server errors are shown at their fields until those are edited, any other failure until the next
 * attempt (D028). It merges saves of other people (D091), and restores unsaved input after the session ended.
 *
 *     const { form, field, error, dialog } = useRecordForm({ … });
 *     <FormDialog {...dialog}><Field error={error('name')}><TextInput {...field('name')} /></Field></FormDialog>
 */
export function useRecordForm<Values extends FieldValues, Payload, Saved extends Versioned>({
  schema,
  name,
  labels,
  record,
  blank,
  toForm,
  save,
  texts,
  show = (_field, value) => String(value ?? ''),
  merging,
  stays = false,
  onSaved,
}: RecordFormOptions<Values, Payload, Saved>) {
  const { draft, draftName } = useFoundDraft<Saved>(name, record);
  /** The version of the record that the form is based on: fetched, from a draft, or saved by another person. */
  const [base, setBase] = useState(draft === null ? record : draft.base);
  const [recovered, setRecovered] = useState(draft !== null);
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const inDoubt = useRef<Values | null>(null);
  const createOnce = useIdempotentAttempt();
  const queryClient = useQueryClient();

  const form = useForm<Values, unknown, Payload>({
    // The cast is safe: the default values are complete, while the library's type also allows partial ones.
    defaultValues: (base === null ? blank : toForm(base)) as DefaultValues<Values>,
    resolver: standardSchemaResolver<Values, unknown, Payload>(schema(base)),
    mode: 'onSubmit',
    reValidateMode: 'onBlur',
  });
  // Reading `dirtyFields` subscribes the component to it.
  const { isDirty, dirtyFields: _counted } = form.formState;
  const guard = useLeaveGuard(isDirty);
  const merge = useEditMerge({ form, labels, rules: merging, show });
  const fields = namesIn(labels);
  const failed = record === null ? texts.createFailed : texts.updateFailed;
  const inToast = !texts.failsInForm;
  const errors = useFieldErrors(form, fields);
  useDraft({ form, fields, draft, draftName, base });

  // The form opens with the list's row. The record fetched after that may be newer.
  const isTouched = isDirty || merge.state !== null || recovered;
  useEffect(() => {
    // A draft keeps its base version, so that the save detects newer changes.
    if (isTouched || !isNewer(record, base)) return;
    setBase(record);
    form.reset(toForm(record));
  }, [record, base, isTouched, form, toForm]);

  /** Shows a stored record, without unsaved changes. */
  const goOnFrom = (stored: Saved) => {
    setBase(stored);
    setRecovered(false);
    merge.forget();
    form.reset(toForm(stored));
  };

  const send = (payload: Payload, over: Saved | null) =>
    over === null
      ? createOnce((headers) => save(payload, { headers, updatedAt: null }))
      : save(payload, { headers: {}, updatedAt: over.updated_at });

  const [trySave, saving] = useOneAtATime(async (payload: Payload) => {
    errors.forget();
    // A copy, because a merge changes the form's values.
    const typed = () => ({ ...form.getValues() });
    try {
      const outcome = await saveEdits(
        { base, payload, sent: typed(), inDoubt: inDoubt.current },
        {
          send,
          typed,
          toForm,
          rules: merging,
          check: (values, over) => schema(over)['~standard'].validate(values),
          onMerge: (merged, current) => {
            setBase(current);
            merge.show(merged);
          },
        },
      );
      inDoubt.current = outcome.inDoubt;
      if (outcome.kind === 'saved') saved(outcome.answer, payload);
      else if (outcome.kind === 'asks') logSaveError(failed, outcome.error);
      else if (outcome.kind === 'issues') errors.show(outcome.issues);
      else refused(outcome.error);
    } catch (error) {
      refused(error);
    }
  });

  const saved = (answer: unknown, payload: Payload) => {
    guard.release();
    showSaved(record === null ? textFor(payload, texts.created) : texts.updated, merge.note());
    // The cast is safe: with `stays`, `save` resolves to the record.
    if (stays) goOnFrom(answer as Saved);
    onSaved?.();
  };

  const refused = (error: unknown) => {
    const refusal = error instanceof ApiError ? error : null;
    // No message here: the sign-in screen explains it, and the input is stored in a draft.
    if (refusal?.status === 401) return logSaveError(failed, error);
    // The message refers to the list, which must now show the record stored by the earlier attempt.
    if (refusal?.code === 'idempotency_conflict') void queryClient.invalidateQueries();
    setFailure(reportSaveError(error, { title: failed, inToast, fields, setError: errors.set }));
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (saving) return;
    setFailure(null);
    if (!merge.remind()) void form.handleSubmit(trySave)(event);
  };

  const edited = (name: Path<Values>) => {
    errors.edited(name);
    merge.edited(name);
  };

  return {
    form,
    /** The base record; null for a new one. */
    base,
    isDirty,
    /** Discards the typed values; the form shows the stored record again. */
    discard: () => {
      errors.forget();
      setFailure(null);
      const stored = isNewer(record, base) ? record : base;
      if (stored !== null) goOnFrom(stored);
    },
    /** The props of a control; editing it clears its error (SEED-5.2-10). */
    field: (name: Path<Values>) => form.register(name, { onChange: () => edited(name) }),
    useValue: watching(form),
    /** Sets a field as if it was typed: for pickers, and for values that result from another choice. */
    change: <Name extends Path<Values>>(name: Name, value: PathValue<Values, Name>) => {
      form.setValue(name, value, { shouldDirty: true });
      edited(name);
    },
    /** The error of a field: the server's until the field is edited, else the form's own error. */
    error: errors.of,
    /** The props of `FormDialog` about saving. */
    dialog: {
      recovered,
      saving,
      onSubmit: submit,
      guard: guard.dialog,
      merge: merge.state,
      failure,
    },
  };
}

// The cast is safe: the keys of `labels` are the names in its type.
const namesIn = <Name extends string>(labels: Readonly<Record<Name, string>>) =>
  Object.keys(labels) as Name[];

/** @param text null: another element says it */
function showSaved(text: string | null, note: string | undefined): void {
  if (text !== null) toasts.success(text, note);
}

const textFor = <Payload>(payload: Payload, text: string | ((payload: Payload) => string | null)) =>
  typeof text === 'string' ? text : text(payload);

/** A hook that returns a field's value and renders again when it changes. */
const watching = <Values extends FieldValues, Payload>({
  control,
}: UseFormReturn<Values, unknown, Payload>) =>
  function useValue(name: Path<Values>): unknown {
    return useWatch({ control, name });
  };

/** True if `record` is a later version than `base`; false if one of them is null. */
const isNewer = <Saved extends Versioned>(record: Saved | null, base: Saved | null): record is Saved =>
  record !== null && base !== null && Date.parse(record.updated_at) > Date.parse(base.updated_at);

/** The errors of a form's fields, from the server and from the form's schema. */
function useFieldErrors<Values extends FieldValues, Payload>(
  form: UseFormReturn<Values, unknown, Payload>,
  fields: readonly Path<Values>[],
) {
  // Separate from the form's own errors, because those are computed again on blur, which would remove a server error.
  const [serverErrors, setServerErrors] = useState<Partial<Record<string, string>>>({});
  const { errors } = form.formState;
  const focusNext = useRef<Path<Values> | null>(null);
  // After a merge the form's fields are registered again at the next render, so the focus is set after it.
  useEffect(() => {
    if (focusNext.current !== null) form.setFocus(focusNext.current);
    focusNext.current = null;
  });
  const set: UseFormSetError<Values> = (name, { message = '' }, options) => {
    setServerErrors((before) => ({ ...before, [name]: message }));
    if (options?.shouldFocus) form.setFocus(name as Path<Values>);
  };
  return {
    /** Sets an error from the server. */
    set,
    of: (name: Path<Values>): string | undefined => {
      const own: unknown = errors[name]?.message;
      return serverErrors[name] ?? (typeof own === 'string' ? own : undefined);
    },
    /** Shows the errors of merged values like other errors of the form. */
    show: (issues: readonly FormIssue[]) => {
      const wrong = fields.flatMap((field) => {
        const issue = issues.find(({ path }) => path?.[0] === field);
        return issue === undefined ? [] : [{ field, message: issue.message }];
      });
      focusNext.current = wrong[0]?.field ?? null;
      for (const { field, message } of wrong) form.setError(field, { type: 'merged', message });
    },
    edited: (name: Path<Values>) => {
      form.clearErrors(name);
      setServerErrors(({ [name]: _edited, ...others }) => others);
    },
    forget: () => setServerErrors({}),
  };
}
