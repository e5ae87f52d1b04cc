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
} from 'react-hook-form';
import { ApiError } from '../../api/api-error.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { useSession } from '../../api/session.ts';
import { toasts } from '../../ui/toasts.ts';
import { findDraft, forgetDraft, keepDraft } from './form-drafts.ts';
import { type FormFailure, logSaveError, reportSaveError } from './form-errors.ts';
import { useLeaveGuard } from './leave-guard.tsx';
import type { MergeRules } from './merge-edits.ts';
import { useEditMerge } from './use-edit-merge.ts';

/** How often one save may merge other people's changes before it stops with a message. */
const MOST_TRIES = 4;

/**
 * The fields of a saved record that the form needs. The next save sends its version (D091). The settings have no id,
 * because there is only one record.
 */
interface Versioned {
  id?: number;
  updated_at: string;
}

/** The headers of a save: the Idempotency-Key of a POST, or the version of a PUT. */
export interface SaveContext {
  headers: Record<string, string>;
  updatedAt: string | null;
}

/** The schema of a form: its input are form texts, its output is the request body. */
type FormSchema<Values, Payload> = Parameters<
  typeof standardSchemaResolver<Values & FieldValues, unknown, Payload>
>[0];

interface FormIssue {
  message: string;
  path?: readonly unknown[] | undefined;
}

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
    created: string | ((payload: Payload) => string);
    updated: string;
    createFailed: string;
    updateFailed: string;
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
  const [saving, setSaving] = useState(false);
  const underWay = useRef(false);
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
  // The cast is safe: the keys of `labels` are the names in its type.
  const fields = Object.keys(labels) as Path<Values>[];
  const failed = record === null ? texts.createFailed : texts.updateFailed;
  const errors = useFieldErrors(form);
  const saveOver = useSaveOver({ form, fields, merge, setBase, schema, toForm, save, failed });
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

  const send = form.handleSubmit(async (payload) => {
    // Two fast clicks can arrive before the button is rendered as busy.
    if (underWay.current) return;
    underWay.current = true;
    setSaving(true);
    errors.forget();
    try {
      const saved =
        base === null
          ? { answer: await createOnce((headers) => save(payload, { headers, updatedAt: null })) }
          : await saveOver(base, payload);
      if (saved === null) return;
      guard.release();
      const created = typeof texts.created === 'string' ? texts.created : texts.created(payload);
      toasts.success(record === null ? created : texts.updated, merge.note());
      // The cast is safe: with `stays`, `save` resolves to the record.
      if (stays) goOnFrom(saved.answer as Saved);
      onSaved?.();
    } catch (error) {
      refused(error);
    } finally {
      underWay.current = false;
      setSaving(false);
    }
  });

  const refused = (error: unknown) => {
    const refusal = error instanceof ApiError ? error : null;
    if (refusal?.status === 401) {
      // No message here: the sign-in screen explains it, and the input is stored in a draft.
      logSaveError(failed, error);
      return;
    }
    // The message refers to the list, which must now show the record stored by the earlier attempt.
    if (refusal?.code === 'idempotency_conflict') void queryClient.invalidateQueries();
    setFailure(reportSaveError(error, { title: failed, fields, setError: errors.set }));
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (underWay.current) return;
    setFailure(null);
    if (!merge.remind()) void send(event);
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

/** True if `record` is a later version than `base`; false if one of them is null. */
const isNewer = <Saved extends Versioned>(record: Saved | null, base: Saved | null): record is Saved =>
  record !== null && base !== null && Date.parse(record.updated_at) > Date.parse(base.updated_at);

type Form<Values extends FieldValues, Payload> = UseFormReturn<Values, unknown, Payload>;

/** The draft for a form that opens, found by form name and record, of the same person. */
function useFoundDraft<Saved extends Versioned>(name: string | null, record: Saved | null) {
  const draftName = name === null ? null : `${name}/${record?.id ?? 'new'}`;
  const [draft] = useState(() =>
    draftName === null ? null : findDraft<Saved>(useSession.getState().user?.id, draftName),
  );
  return { draft, draftName };
}

interface FormDraft<Values extends FieldValues, Payload, Saved extends Versioned>
  extends ReturnType<typeof useFoundDraft<Saved>> {
  form: Form<Values, Payload>;
  fields: readonly Path<Values>[];
  base: Saved | null;
}

/** Puts a draft into a form when it opens, and stores unsaved input as a draft when the session ends. */
function useDraft<Values extends FieldValues, Payload, Saved extends Versioned>({
  form,
  fields,
  draft,
  draftName,
  base,
}: FormDraft<Values, Payload, Saved>): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form opens.
  useEffect(() => {
    if (draft === null) return;
    forgetDraft();
    for (const field of fields) {
      // The cast is safe: this form stored the value for this field.
      const value = draft.typed[field] as PathValue<Values, Path<Values>> | undefined;
      if (value !== undefined) form.setValue(field, value, { shouldDirty: true });
    }
  }, []);

  useEffect(() =>
    useSession.subscribe((now, before) => {
      if (draftName === null || before.user === null || now.isAuthenticated || now.ended !== 'expired')
        return;
      // The fields that differ from the base version now; `dirtyFields` would be those of the last render.
      const typed = fields
        .filter((field) => form.getFieldState(field).isDirty)
        .map((field) => [field, form.getValues(field)] as const);
      if (typed.length === 0) return;
      keepDraft({ userId: before.user.id, form: draftName, base, typed: Object.fromEntries(typed) });
    }),
  );
}

/** The errors of a form's fields, from the server and from the form's schema. */
function useFieldErrors<Values extends FieldValues, Payload>(form: Form<Values, Payload>) {
  // Separate from the form's own errors, because those are computed again on blur, which would remove a server error.
  const [serverErrors, setServerErrors] = useState<Partial<Record<string, string>>>({});
  const { errors } = form.formState;
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
    edited: (name: Path<Values>) => {
      form.clearErrors(name);
      setServerErrors(({ [name]: _edited, ...others }) => others);
    },
    forget: () => setServerErrors({}),
  };
}

interface SaveOver<Values extends FieldValues, Payload, Saved extends Versioned>
  extends Pick<RecordFormOptions<Values, Payload, Saved>, 'schema' | 'toForm' | 'save'> {
  form: Form<Values, Payload>;
  fields: readonly Path<Values>[];
  merge: ReturnType<typeof useEditMerge<Values, Payload>>;
  setBase: (base: Saved) => void;
  /** The title in the log: 'Error al actualizar…'. */
  failed: string;
}

/** An attempt to save: the base version, the request body, and the form's values. */
interface Attempt<Values, Payload, Saved> {
  version: Saved;
  payload: Payload;
  sent: Values;
}

/**
 * Saves a change of the base version. If another person saved first, it merges both changes and saves again (D091).
 * The function resolves to the result of `save`, or to null if the user must decide or correct something first.
 */
function useSaveOver<Values extends FieldValues, Payload, Saved extends Versioned>({
  form,
  fields,
  merge,
  setBase,
  schema,
  toForm,
  save,
  failed,
}: SaveOver<Values, Payload, Saved>) {
  /** The values of the last save if its answer was lost: they may have been stored. */
  const inDoubt = useRef<Values | null>(null);
  const focusNext = useRef<Path<Values> | null>(null);
  // After a merge the form's fields are registered again at the next render, so the focus is set after it.
  useEffect(() => {
    if (focusNext.current !== null) form.setFocus(focusNext.current);
    focusNext.current = null;
  });

  /** Merging two valid changes can give an invalid result. Its errors are shown like other errors of the form. */
  const showIssues = (issues: readonly FormIssue[]) => {
    const wrong = fields.flatMap((field) => {
      const issue = issues.find(({ path }) => path?.[0] === field);
      return issue === undefined ? [] : [{ field, message: issue.message }];
    });
    focusNext.current = wrong[0]?.field ?? null;
    for (const { field, message } of wrong) form.setError(field, { type: 'merged', message });
  };

  /** The next attempt after another person's save; null if the user must decide or correct something first. */
  const mergeWith = async (current: Saved, { version }: Attempt<Values, Payload, Saved>, error: unknown) => {
    const { merged, asks } = merge.merge(toForm(version), toForm(current), inDoubt.current);
    inDoubt.current = null;
    setBase(current);
    if (asks) {
      logSaveError(failed, error);
      return null;
    }
    const checked = await schema(current)['~standard'].validate(merged);
    if (checked.issues === undefined) return { version: current, payload: checked.value, sent: merged };
    showIssues(checked.issues);
    return null;
  };

  return async (read: Saved, checked: Payload): Promise<{ answer: unknown } | null> => {
    let attempt: Attempt<Values, Payload, Saved> | null = {
      version: read,
      payload: checked,
      sent: { ...form.getValues() },
    };
    for (let tries = 1; attempt !== null; tries += 1) {
      const { version, payload, sent }: Attempt<Values, Payload, Saved> = attempt;
      try {
        return { answer: await save(payload, { headers: {}, updatedAt: version.updated_at }) };
      } catch (error) {
        const current = savedMeanwhile<Saved>(error);
        if (current === null) {
          inDoubt.current = sent;
          throw error;
        }
        attempt = await mergeWith(current, attempt, error);
        if (attempt !== null && tries === MOST_TRIES) throw error;
      }
    }
    return null;
  };
}

/** The stored record in the answer to an outdated save (D091); null for another failure. */
function savedMeanwhile<Saved>(error: unknown): Saved | null {
  if (!(error instanceof ApiError) || error.code !== 'stale') return null;
  // The cast is safe: the record in the answer is the one that was to be saved.
  return error.current as Saved | null;
}
