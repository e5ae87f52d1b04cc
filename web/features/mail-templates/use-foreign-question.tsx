import { type FormEvent, type ReactNode, useState } from 'react';
import type { MailKind } from '../../../contract/mail/mails.ts';
import { actions } from '../../text/es.ts';
import { templateTexts as texts } from '../../text/es-mail.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import type { TemplateForm } from './template-form-values.ts';
import { findForeign } from './templates.api.ts';

/**
 * Asks before a template is saved that has accounts or addresses which are not in the settings: nobody should read in
 * the mails of the vendor where somebody else wants the money.
 * @param save submits the form
 */
export function useForeignQuestion(
  kind: MailKind,
  written: TemplateForm,
  save: (event: FormEvent) => void,
): { onSubmit: (event: FormEvent) => void; looking: boolean; question: ReactNode } {
  const [asked, setAsked] = useState<{ event: FormEvent; found: string[] } | null>(null);
  const [look, looking] = useOneAtATime(async (event: FormEvent) => {
    const found = await findForeign(kind, written);
    if (found.length === 0) save(event);
    else setAsked({ event, found });
  });
  return {
    onSubmit: (event) => {
      event.preventDefault();
      void look(event);
    },
    looking,
    question: (
      <ConfirmDialog
        open={asked !== null}
        title={texts.foreignTitle}
        text={<ForeignList found={asked?.found ?? []} />}
        confirmLabel={texts.saveAnyway}
        cancelLabel={actions.cancel}
        onConfirm={() => {
          setAsked(null);
          if (asked !== null) save(asked.event);
        }}
        onCancel={() => setAsked(null)}
      />
    ),
  };
}

/** The warnings about a template, each on its own line. */
export const ForeignList = ({ found }: { found: readonly string[] }) =>
  found.map((message) => (
    <span key={message} className="block wrap-anywhere">
      {message}
    </span>
  ));
