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

/** How often one save merges other people's saves before it stops with a message. */
const MOST_TRIES = 4;

/** Every saved record has the version that the next save must send (D091). The settings have no id: there is one set. */
interface Versioned {
  id?: number;
  updated_at: string;
}

/** The headers of a save: the Idempotency-Key of a POST, or the version of a PUT. */
export interface SaveContext {
  headers: Record<string, string>;
  updatedAt: string | null;
}

/** The contract's schema of a form: form texts in, payload out. */
type FormSchema<Values, Payload> = Parameters<
  typeof standardSchemaResolver<Values & FieldValues, unknown, Payload>
>[0];

interface FormIssue {
  message: string;
  path?: readonly unknown[] | undefined;
}

interface RecordFormOptions<Values, Payload, Saved extends Versioned> {
  /** The schema for the form's base record, which a merge may replace by a newer version. */
  schema: (base: Saved | null) => FormSchema<Values, Payload>;
  /** The form's unique name, by which its draft is found; null keeps no draft. */
  name: string | null;
  /** The fields from top to bottom, with their Spanish labels. */
  labels: Readonly<Record<Path<Values & FieldValues>, string>>;
  /** The record to edit; null creates one. A newer version may follow: the form shows it while it is unchanged. */
  record: Saved | null;
  blank: Values;
  toForm: (record: Saved) => Values;
  /** Sends the payload; resolves when the lists behind are refetched. */
  save: (payload: Payload, context: SaveContext) => Promise<unknown>;
  texts: {
    created: string | ((payload: Payload) => string);
    updated: string;
    createFailed: string;
    updateFailed: string;
  };
  /** A value as text, for the questions about conflicts. */
  show?: (field: string, value: unknown) => string;
  /** How its fields are compared in a merge. */
  merging?: MergeRules<Values>;
  /** The form stays open and goes on from the record as stored, to which `save` resolves: a form on a page. */
  stays?: boolean;
  /** Closes the dialog. */
  onSaved?: () => void;
}

/**
 * The state of a form that creates or edits one record. It checks on submit, and after that on blur; runs one save at
 * a time; shows server errors on their fields until those are edited, any other failure until the next try (D028);
 * merges another person's save (D091); and restores unsaved input after the session ended.
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
  /** The record version that the form is based on: as fetched, as in a draft, or as another person saved it. */
  const [base, setBase] = useState(draft === null ? record : draft.base);
  const [recovered, setRecovered] = useState(draft !== null);
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const [saving, setSaving] = useState(false);
  const underWay = useRef(false);
  const createOnce = useIdempotentAttempt();
  const queryClient = useQueryClient();

  const form = useForm<Values, unknown, Payload>({
    // The default values are always complete; the library's type allows partial ones.
    defaultValues: (base === null ? blank : toForm(base)) as DefaultValues<Values>,
    resolver: standardSchemaResolver<Values, unknown, Payload>(schema(base)),
    mode: 'onSubmit',
    reValidateMode: 'onBlur',
  });
  // Reading `dirtyFields` subscribes to it.
  const { isDirty, dirtyFields: _counted } = form.formState;
  const guard = useLeaveGuard(isDirty);
  const merge = useEditMerge({ form, labels, rules: merging, show });
  // The keys of `labels` are exactly the names of its type.
  const fields = Object.keys(labels) as Path<Values>[];
  const failed = record === null ? texts.createFailed : texts.updateFailed;
  const errors = useFieldErrors(form);
  const saveOver = useSaveOver({ form, fields, merge, setBase, schema, toForm, save, failed });
  useDraft({ form, fields, draft, draftName, base });

  // The form opens with the list's row; the fetched record may be newer.
  const isTouched = isDirty || merge.state !== null || recovered;
  useEffect(() => {
    // A draft keeps its base version: the save detects newer changes.
    if (isTouched || !isNewer(record, base)) return;
    setBase(record);
    form.reset(toForm(record));
  }, [record, base, isTouched, form, toForm]);

  /** Shows a stored record, with nothing unsaved. */
  const goOnFrom = (stored: Saved) => {
    setBase(stored);
    setRecovered(false);
    merge.forget();
    form.reset(toForm(stored));
  };

  const send = form.handleSubmit(async (payload) => {
    // Two fast clicks arrive before the button is rendered as busy.
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
      // With `stays`, `save` resolves to the record.
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
      // The sign-in screen explains it, and the draft keeps the input.
      logSaveError(failed, error);
      return;
    }
    // The message refers to the list, which must show the record of the earlier attempt.
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
    /** Drops what was typed: the form shows the record as stored. */
    discard: () => {
      errors.forget();
      setFailure(null);
      const stored = isNewer(record, base) ? record : base;
      if (stored !== null) goOnFrom(stored);
    },
    /** The props of a control; editing it clears its error (SEED-5.2-10). */
    field: (name: Path<Values>) => form.register(name, { onChange: () => edited(name) }),
    /** Sets a field as if typed: for a picker, and for values that follow from a choice. */
    change: <Name extends Path<Values>>(name: Name, value: PathValue<Values, Name>) => {
      form.setValue(name, value, { shouldDirty: true });
      edited(name);
    },
    /** The error of a field: the server's until the field is edited, else the form's own. */
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

/** Whether a record is a later version than another one; neither is later than none. */
const isNewer = <Saved extends Versioned>(record: Saved | null, base: Saved | null): record is Saved =>
  record !== null && base !== null && Date.parse(record.updated_at) > Date.parse(base.updated_at);

type Form<Values extends FieldValues, Payload> = UseFormReturn<Values, unknown, Payload>;

/** The draft with which a form opens: that of its name and record, by the same person. */
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

/** Puts a draft into a form when it opens, and keeps what is unsaved as one when the session expires. */
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
      // This form stored the value for this field.
      const value = draft.typed[field] as PathValue<Values, Path<Values>> | undefined;
      if (value !== undefined) form.setValue(field, value, { shouldDirty: true });
    }
  }, []);

  useEffect(() =>
    useSession.subscribe((now, before) => {
      if (draftName === null || before.user === null || now.isAuthenticated || now.ended !== 'expired')
        return;
      // The fields that differ from the base version now, not as of the last render.
      const typed = fields
        .filter((field) => form.getFieldState(field).isDirty)
        .map((field) => [field, form.getValues(field)] as const);
      if (typed.length === 0) return;
      keepDraft({ userId: before.user.id, form: draftName, base, typed: Object.fromEntries(typed) });
    }),
  );
}

/** The errors of a form's fields: those of the server, and its own. */
function useFieldErrors<Values extends FieldValues, Payload>(form: Form<Values, Payload>) {
  // Separate from the form's own errors: those are computed again on blur, which would clear a server error.
  const [serverErrors, setServerErrors] = useState<Partial<Record<string, string>>>({});
  const { errors } = form.formState;
  const set: UseFormSetError<Values> = (name, { message = '' }, options) => {
    setServerErrors((before) => ({ ...before, [name]: message }));
    if (options?.shouldFocus) form.setFocus(name as Path<Values>);
  };
  return {
    /** Sets an error of the server. */
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
  /** For the log: 'Error al actualizar…' */
  failed: string;
}

/** One try to save: the version that it is based on, the payload, and the form's values as sent. */
interface Attempt<Values, Payload, Saved> {
  version: Saved;
  payload: Payload;
  sent: Values;
}

/**
 * Saves over the base version. If another person saved first, merges both edits and saves again (D091). The function
 * resolves to what `save` resolved to; to null when the user has to decide or correct something first.
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
  /** The values of the last save, if its answer was lost: they may be stored. */
  const inDoubt = useRef<Values | null>(null);
  const focusNext = useRef<Path<Values> | null>(null);
  // The merge reset the form: its elements are registered again at the next render.
  useEffect(() => {
    if (focusNext.current !== null) form.setFocus(focusNext.current);
    focusNext.current = null;
  });

  /** A merge of two valid edits may be invalid: its errors are shown like any other error of the form. */
  const showIssues = (issues: readonly FormIssue[]) => {
    const wrong = fields.flatMap((field) => {
      const issue = issues.find(({ path }) => path?.[0] === field);
      return issue === undefined ? [] : [{ field, message: issue.message }];
    });
    focusNext.current = wrong[0]?.field ?? null;
    for (const { field, message } of wrong) form.setError(field, { type: 'merged', message });
  };

  /** What to save after another person's save; null when the user has to decide or correct something first. */
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

/** The stored record in the answer to a stale save (D091); null for another failure. */
function savedMeanwhile<Saved>(error: unknown): Saved | null {
  if (!(error instanceof ApiError) || error.code !== 'stale') return null;
  // The answer's record is of the same address as the save.
  return error.current as Saved | null;
}
