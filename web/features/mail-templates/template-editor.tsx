import { Braces, Lock, RotateCcw, Send } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { type MailTemplate, mailTemplateTexts } from '../../../contract/mail/mails.ts';
import { CalledOff, errorMessage } from '../../api/api-error.ts';
import { mailIsStored } from '../../api/email-transport.ts';
import { useOffers } from '../../api/offers.ts';
import { FormMessages } from '../../components/record/form-messages.tsx';
import { useAction } from '../../components/record/use-action.ts';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { actions } from '../../text/es.ts';
import { noPermissionTexts } from '../../text/es-layout.ts';
import { templateTexts as texts } from '../../text/es-mail.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { LinedTextArea } from '../../ui/lined-text-area.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { insertAtCaret, selectLine } from './insert-text.ts';
import { lineNamedIn, TEMPLATE_FORM, type TemplateForm } from './template-form-values.ts';
import { TemplatePreview } from './template-preview.tsx';
import { TemplateVariables } from './template-variables.tsx';
import { type TemplateRecord, useResetTemplate, useSaveTemplate, useTestTemplate } from './templates.api.ts';
import { useForeignQuestion } from './use-foreign-question.tsx';

/** The position of the caret. */
export interface Caret {
  field: 'subject' | 'body';
  at: number;
}

interface TemplateEditorProps {
  template: TemplateRecord;
  /** The caret's position in the form before the save; null for the first form. */
  caret: Caret | null;
  /** Called after the template was saved or restored. */
  onStored: (caret: Caret) => void;
}

/** The editor of one template: its texts, the variables, and a preview (MAIL-02). */
export function TemplateEditor({ template, caret, onStored }: TemplateEditorProps) {
  const { kind } = template;
  const maySave = useOffers()('templates.save');
  const saveTemplate = useSaveTemplate(kind);
  const { form, field, error, dialog } = useRecordForm<TemplateForm, TemplateForm, TemplateRecord>({
    ...TEMPLATE_FORM,
    schema: () => mailTemplateTexts,
    name: 'mail-template',
    record: template,
    save: (values, { updatedAt }) => saveTemplate.mutateAsync({ texts: values, updatedAt }),
    texts: texts.toasts,
    onSaved: () => stored(),
  });
  const [subject, body] = useWatch({ control: form.control, name: ['subject', 'body'] });
  const foreign = useForeignQuestion(kind, { subject, body }, dialog.onSubmit);
  const formRef = useRef<HTMLFormElement>(null);
  const bodyRef = useRef<HTMLTextAreaElement | null>(null);
  const subjectRef = useRef<HTMLInputElement | null>(null);
  /** The field into which a variable is inserted: the one that had the caret last. */
  const target = useRef<Caret['field']>('body');
  const [choosing, setChoosing] = useState(false);
  const wrongLine = lineNamedIn(error('body'), body);

  const fieldOf = (name: Caret['field']) => (name === 'subject' ? subjectRef.current : bodyRef.current);
  const stored = () => onStored({ field: target.current, at: fieldOf(target.current)?.selectionStart ?? 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form opens.
  useEffect(() => {
    if (caret === null) return;
    const element = fieldOf(caret.field);
    element?.focus({ preventScroll: true });
    element?.setSelectionRange(caret.at, caret.at);
  }, []);

  const goToLine = (line: number) => {
    if (bodyRef.current === null) return;
    selectLine(bodyRef.current, line);
    formRef.current?.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  // When the server reports an error in a line, the caret moves there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each message, not for each keystroke.
  useEffect(() => {
    if (wrongLine !== null) goToLine(wrongLine);
  }, [wrongLine]);

  const insert = (text: string) => {
    const element = fieldOf(target.current);
    if (element !== null) insertAtCaret(element, text);
  };
  /** On a phone the variables are in a sheet, which holds the focus. The text is inserted after it is closed. */
  const waiting = useRef<string | null>(null);
  const insertAfterSheet = (text: string) => {
    waiting.current = text;
    setChoosing(false);
  };
  const insertWaiting = () => {
    if (waiting.current !== null) insert(waiting.current);
    waiting.current = null;
  };
  // Two frames, because the sheet is removed in the first frame and then returns the focus.
  const insertSoon = () => requestAnimationFrame(() => requestAnimationFrame(insertWaiting));

  const saveByKeys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    formRef.current?.requestSubmit();
  };
  const { ref: registerSubject, ...subjectProps } = field('subject');
  const { ref: registerBody, ...bodyProps } = field('body');
  return (
    <form
      ref={formRef}
      noValidate
      onSubmit={foreign.onSubmit}
      onKeyDown={saveByKeys}
      className="@container/editor space-y-4"
    >
      <h3 className="text-base font-semibold">{template.label}</h3>
      {!maySave && (
        <Banner tone="info" icon={Lock}>
          {noPermissionTexts.readOnly}
        </Banner>
      )}
      <FormMessages recovered={dialog.recovered} merge={dialog.merge} />
      <div className="grid items-start gap-4 @min-[40rem]/editor:grid-cols-2">
        <Card>
          <div className="space-y-4">
            <Field label={texts.subject} required error={error('subject')}>
              <TextInput
                {...subjectProps}
                ref={(element) => {
                  registerSubject(element);
                  subjectRef.current = element;
                }}
                onFocus={() => {
                  target.current = 'subject';
                }}
                autoComplete="off"
                readOnly={!maySave}
              />
            </Field>
            <Field label={texts.body} required error={error('body')} help={texts.bodyHelp}>
              <LinedTextArea
                {...bodyProps}
                ref={(element) => {
                  registerBody(element);
                  bodyRef.current = element;
                }}
                onFocus={() => {
                  target.current = 'body';
                }}
                text={body}
                readOnly={!maySave}
                wrongLine={wrongLine}
                className="max-h-[26rem] min-h-48"
              />
            </Field>
            {maySave && (
              <>
                <Button icon={Braces} className="w-full sm:hidden" onClick={() => setChoosing(true)}>
                  {texts.variables}
                </Button>
                <section aria-label={texts.variables} className="max-sm:hidden">
                  <h4 className="text-sm font-medium">{texts.variables}</h4>
                  <p className="text-xs text-muted">{texts.variablesHint}</p>
                  <div className="mt-2 max-h-60 overflow-y-auto rounded-lg border border-border">
                    <TemplateVariables variables={template.variables} onInsert={insert} />
                  </div>
                </section>
              </>
            )}
          </div>
        </Card>
        <TemplatePreview kind={kind} texts={{ subject, body }} onGoToLine={goToLine} />
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2 max-sm:*:flex-1">
        {dialog.failure && (
          <p className="min-w-full text-right text-critical-text">
            {`${dialog.failure.title}: ${dialog.failure.message}`}
          </p>
        )}
        {maySave && (
          <>
            {!template.is_default && <ResetButton template={template} onStored={stored} />}
            <TestButton kind={kind} texts={{ subject, body }} />
            <Button
              type="submit"
              variant="primary"
              busy={dialog.saving || foreign.looking}
              busyLabel={texts.saving}
            >
              {texts.save}
            </Button>
          </>
        )}
      </div>
      <Dialog
        open={choosing}
        onClose={() => setChoosing(false)}
        title={texts.variables}
        description={texts.variablesHint}
        finalFocus={() => fieldOf(target.current)}
        onGone={insertSoon}
      >
        <div className="-mx-5 -my-5">
          <TemplateVariables variables={template.variables} onInsert={insertAfterSheet} />
        </div>
      </Dialog>
      {foreign.question}
      {dialog.guard}
    </form>
  );
}

function TestButton({ kind, texts: written }: { kind: MailTemplate['kind']; texts: TemplateForm }) {
  const test = useTestTemplate(kind);
  const [send, sending] = useAction(texts.testFailed, async () => {
    const { message } = await test.mutateAsync(written);
    if (mailIsStored()) toasts.warning(texts.testStored, message);
    else toasts.success(texts.tested, message);
  });
  return (
    <Button icon={Send} busy={sending} busyLabel={texts.testing} onClick={send}>
      {texts.test}
    </Button>
  );
}

function ResetButton({ template, onStored }: { template: TemplateRecord; onStored: () => void }) {
  const [asking, setAsking] = useState(false);
  const reset = useResetTemplate(template.kind);
  const [run, busy] = useOneAtATime(async () => {
    try {
      await reset.mutateAsync(template.updated_at);
      setAsking(false);
      toasts.success(texts.resetDone);
      onStored();
    } catch (failure) {
      if (failure instanceof CalledOff) return;
      setAsking(false);
      toasts.error(texts.resetFailed, errorMessage(failure));
    }
  });
  return (
    <>
      <Button icon={RotateCcw} onClick={() => setAsking(true)}>
        {texts.reset}
      </Button>
      <ConfirmDialog
        open={asking}
        tone="danger"
        title={texts.resetTitle}
        text={texts.resetText}
        confirmLabel={texts.resetConfirm}
        busyLabel={texts.resetting}
        cancelLabel={actions.cancel}
        busy={busy}
        onConfirm={run}
        onCancel={() => setAsking(false)}
      />
    </>
  );
}
