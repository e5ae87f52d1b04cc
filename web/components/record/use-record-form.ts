import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
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

/** How often one save merges what others saved meanwhile, before it gives up and says so. */
const MOST_TRIES = 4;

/** What every saved record carries: the version that the next save must name (D091). */
export interface Versioned {
  id: number;
  updated_at: string;
}

/** What goes with a save: the key of a creating POST, or the version that a PUT was made from. */
export interface SaveContext {
  headers: Record<string, string>;
  updatedAt: string | null;
}

/** The contract's schema behind a form: form texts in, payload out. */
type FormSchema<Values, Payload> = Parameters<
  typeof standardSchemaResolver<Values & FieldValues, unknown, Payload>
>[0];

/** One thing that is wrong, as a schema says it. */
interface FormIssue {
  message: string;
  path?: readonly unknown[] | undefined;
}

interface RecordFormOptions<Values, Payload, Saved extends Versioned> {
  /** Of the record that the form stands on: another person's save may put it on a later one than it was opened with. */
  schema: (base: Saved | null) => FormSchema<Values, Payload>;
  /** What it edits, in a word that no other form has: a draft is found again by it. */
  name: string;
  /** The fields from top to bottom, with their Spanish labels. */
  labels: Readonly<Record<Path<Values & FieldValues>, string>>;
  /** The record that is edited; null creates one. A fresher one may follow: it shows while nothing is typed. */
  record: Saved | null;
  /** What an empty form holds. */
  blank: Values;
  toForm: (record: Saved) => Values;
  /** Sends the payload; resolves when the lists behind are fresh. */
  save: (payload: Payload, context: SaveContext) => Promise<unknown>;
  texts: { created: string; updated: string; createFailed: string; updateFailed: string };
  /** A value in words, for the questions about what another person changed too. */
  show?: (field: string, value: unknown) => string;
  /** How its fields are compared when another person saved first. */
  merging?: MergeRules<Values>;
  /** Closes the dialog. */
  onSaved: () => void;
}

/**
 * The life of a form that creates or edits one record: checks on submit, and on blur once it was submitted; one save
 * at a time; server errors on their fields until those are edited, any other failure until the next try (D028); what
 * another person saved meanwhile is merged (D091); and what was typed when the session ended is there again after
 * signing in.
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
  onSaved,
}: RecordFormOptions<Values, Payload, Saved>) {
  const draftName = `${name}/${record?.id ?? 'new'}`;
  const [draft] = useState(() => findDraft<Saved>(useSession.getState().user?.id, draftName));
  /** The version that the form stands on: as it was read, as a draft was typed over it, or as another person saved it. */
  const [base, setBase] = useState(draft === null ? record : draft.base);
  const [failure, setFailure] = useState<FormFailure | null>(null);
  // Apart from the form's own errors: those are worked out again on blur, and a server's verdict would vanish there.
  const [serverErrors, setServerErrors] = useState<Partial<Record<string, string>>>({});
  const [saving, setSaving] = useState(false);
  const underWay = useRef(false);
  /** What the last save sent, if its answer was lost: it may have been stored all the same. */
  const inDoubt = useRef<Values | null>(null);
  const focusNext = useRef<Path<Values> | null>(null);
  const createOnce = useIdempotentAttempt();
  const queryClient = useQueryClient();

  const form = useForm<Values, unknown, Payload>({
    // A form always starts complete; the library's type is about partial ones.
    defaultValues: (base === null ? blank : toForm(base)) as DefaultValues<Values>,
    resolver: standardSchemaResolver<Values, unknown, Payload>(schema(base)),
    mode: 'onSubmit',
    reValidateMode: 'onBlur',
  });
  // `dirtyFields` is read so that the form keeps count of them.
  const { errors, isDirty, dirtyFields: _counted } = form.formState;
  const guard = useLeaveGuard(isDirty);
  const merge = useEditMerge({ form, labels, rules: merging, show });
  const isMerged = merge.state !== null;
  // Object.keys gives back the names that the type of `labels` demands.
  const fields = Object.keys(labels) as Path<Values>[];
  const failed = record === null ? texts.createFailed : texts.updateFailed;

  /** The fields that differ from the version the form stands on, as of now and not of the last drawing. */
  const typedFields = () => fields.filter((field) => form.getFieldState(field).isDirty);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form opens.
  useEffect(() => {
    if (draft === null) return;
    forgetDraft();
    for (const field of fields) {
      // A value of this very field, as this form gave it away.
      const value = draft.typed[field] as PathValue<Values, Path<Values>> | undefined;
      if (value !== undefined) form.setValue(field, value, { shouldDirty: true });
    }
  }, []);

  useEffect(() =>
    useSession.subscribe((now, before) => {
      if (before.user === null || now.isAuthenticated || now.ended !== 'expired') return;
      const typed = typedFields().map((field) => [field, form.getValues(field)] as const);
      if (typed.length === 0) return;
      keepDraft({ userId: before.user.id, form: draftName, base, typed: Object.fromEntries(typed) });
    }),
  );

  // The row of a list opens the form at once; the record itself, asked for meanwhile, may be newer.
  useEffect(() => {
    if (record === null || base === null) return;
    if (Date.parse(record.updated_at) <= Date.parse(base.updated_at)) return;
    // Nor is a draft taken off the version that it was typed over: the save will tell what else has changed.
    if (isDirty || isMerged || draft !== null) return;
    setBase(record);
    form.reset(toForm(record));
  }, [record, base, isDirty, isMerged, draft, form, toForm]);

  const setServerError: UseFormSetError<Values> = (name, { message = '' }, options) => {
    setServerErrors((before) => ({ ...before, [name]: message }));
    if (options?.shouldFocus) form.setFocus(name as Path<Values>);
  };

  /**
   * Saves over the version that the form stands on. Where another person was faster, what both did is merged and saved
   * again by itself (D091).
   * @returns false when a person has to decide or to correct something first
   */
  const saveOver = async (read: Saved, checked: Payload): Promise<boolean> => {
    let version = read;
    let payload = checked;
    let sent = { ...form.getValues() };
    for (let tries = 1; ; tries += 1) {
      try {
        await save(payload, { headers: {}, updatedAt: version.updated_at });
        return true;
      } catch (error) {
        const current = savedMeanwhile<Saved>(error);
        if (current === null) {
          inDoubt.current = sent;
          throw error;
        }
        const { merged, asks } = merge.merge(toForm(version), toForm(current), inDoubt.current);
        inDoubt.current = null;
        setBase(current);
        if (asks) {
          logSaveError(failed, error);
          return false;
        }
        const again = await schema(current)['~standard'].validate(merged);
        if (again.issues !== undefined) {
          showIssues(again.issues);
          return false;
        }
        if (tries === MOST_TRIES) throw error;
        version = current;
        payload = again.value;
        sent = merged;
      }
    }
  };

  /** What two people did may be right in each part and wrong together: said as any other error of the form. */
  const showIssues = (issues: readonly FormIssue[]) => {
    const wrong = fields.flatMap((field) => {
      const issue = issues.find(({ path }) => path?.[0] === field);
      return issue === undefined ? [] : [{ field, message: issue.message }];
    });
    focusNext.current = wrong[0]?.field ?? null;
    for (const { field, message } of wrong) form.setError(field, { type: 'merged', message });
  };

  // The merge put the form on another record: it has no elements again before it is drawn.
  useEffect(() => {
    if (focusNext.current !== null) form.setFocus(focusNext.current);
    focusNext.current = null;
  });

  const send = form.handleSubmit(async (payload) => {
    // Two fast clicks come before the button knows that it is busy.
    if (underWay.current) return;
    underWay.current = true;
    setSaving(true);
    setServerErrors({});
    try {
      if (base === null) await createOnce((headers) => save(payload, { headers, updatedAt: null }));
      else if (!(await saveOver(base, payload))) return;
      guard.release();
      toasts.success(record === null ? texts.created : texts.updated, merge.note());
      onSaved();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        // The sign-in screen says what happened, and that nothing is lost.
        logSaveError(failed, error);
        return;
      }
      // The message sends people to the list, where the record of the attempt before must be seen.
      if (error instanceof ApiError && error.code === 'idempotency_conflict') {
        void queryClient.invalidateQueries();
      }
      setFailure(reportSaveError(error, { title: failed, fields, setError: setServerError }));
    } finally {
      underWay.current = false;
      setSaving(false);
    }
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (underWay.current) return;
    setFailure(null);
    if (!merge.remind()) void send(event);
  };

  const edited = (name: Path<Values>) => {
    form.clearErrors(name);
    setServerErrors(({ [name]: _edited, ...others }) => others);
    merge.edited(name);
  };

  return {
    form,
    /** The record that the form stands on; null for a new one. */
    base,
    /** What a control of the kit needs; editing it clears its error (SEED-5.2-10). */
    field: (name: Path<Values>) => form.register(name, { onChange: () => edited(name) }),
    /** Puts a value into a field as if it had been typed: for a picker, and for values that follow from a choice. */
    change: <Name extends Path<Values>>(name: Name, value: PathValue<Values, Name>) => {
      form.setValue(name, value, { shouldDirty: true });
      edited(name);
    },
    /** The message under a field: the server's until it is edited, else the form's own. */
    error: (name: Path<Values>): string | undefined => {
      const own: unknown = errors[name]?.message;
      return serverErrors[name] ?? (typeof own === 'string' ? own : undefined);
    },
    /** Everything that `FormDialog` asks for about saving. */
    dialog: {
      recovered: draft !== null,
      saving,
      onSubmit: submit,
      guard: guard.dialog,
      merge: merge.state,
      failure,
    },
  };
}

/** The record as another person saved it, which the server answers a stale save with (D091); null for another failure. */
function savedMeanwhile<Saved>(error: unknown): Saved | null {
  if (!(error instanceof ApiError) || error.code !== 'stale') return null;
  // The record of the very address that was saved to.
  return error.current as Saved | null;
}
