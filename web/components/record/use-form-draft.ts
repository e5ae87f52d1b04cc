import { useEffect, useState } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { useSession } from '../../api/session.ts';
import { findDraft, forgetDraft, keepDraft } from './form-drafts.ts';
import type { Versioned } from './save-edits.ts';

/** The draft for a form that opens, found by form name and record, of the same person. */
export function useFoundDraft<Saved extends Versioned>(name: string | null, record: Saved | null) {
  const draftName = name === null ? null : `${name}/${record?.id ?? 'new'}`;
  const [draft] = useState(() =>
    draftName === null ? null : findDraft<Saved>(useSession.getState().user?.id, draftName),
  );
  return { draft, draftName };
}

interface FormDraft<Values extends FieldValues, Payload, Saved extends Versioned>
  extends ReturnType<typeof useFoundDraft<Saved>> {
  form: UseFormReturn<Values, unknown, Payload>;
  fields: readonly Path<Values>[];
  base: Saved | null;
}

/** Puts a draft into a form when it opens, and stores unsaved input as a draft when the session ends. */
export function useDraft<Values extends FieldValues, Payload, Saved extends Versioned>({
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
