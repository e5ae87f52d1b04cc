import { type ReactNode, useId, useRef, useState } from 'react';
import { actions } from '../../text/es.ts';
import { onceTexts } from '../../text/es-people.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorText } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';

interface ShownOnceProps {
  title: string;
  lead: ReactNode;
  /** The label of the text: 'Enlace'. */
  label: string;
  text: string;
  hint?: string;
  copyLabel?: string;
  /** The button that closes the dialog without copying. Its label confirms that the user has stored the text. */
  confirm: string;
  /** An optional next action. Its button also copies the text and closes the dialog. */
  next?: { label: string; run: () => void } | undefined;
  /** Content under the text about its immediate use. */
  children?: ReactNode;
  onClose: () => void;
}

/**
 * A dialog with a text that is never shown again. Escape does not close it, so that the text is not lost by accident.
 * 'Copiar y cerrar' closes it only after the browser has copied the text.
 */
export function ShownOnce({
  title,
  lead,
  label,
  text,
  hint,
  copyLabel,
  confirm,
  next,
  children,
  onClose,
}: ShownOnceProps) {
  const id = useId();
  const confirmRef = useRef<HTMLButtonElement>(null);
  const [refused, setRefused] = useState(false);
  const copyAnd = (goOn?: () => void) => async () => {
    const copied = await copyText(text);
    setRefused(!copied);
    if (!copied) return;
    toasts.success(onceTexts.copiedToast, label);
    onClose();
    goOn?.();
  };
  return (
    <Dialog
      open
      size="md"
      title={title}
      description={lead}
      // Escape and × only focus the button that closes the dialog.
      onClose={() => confirmRef.current?.focus()}
      footer={
        <>
          <Button ref={confirmRef} variant="ghost" onClick={onClose}>
            {confirm}
          </Button>
          {next && <Button onClick={copyAnd(next.run)}>{next.label}</Button>}
          <Button variant="primary" onClick={copyAnd()}>
            {onceTexts.copyAndClose}
          </Button>
        </>
      }
    >
      <div className="space-y-2 rounded-xl border border-success/40 bg-success-tint p-4">
        <label htmlFor={id} className="block text-xs font-medium text-success-text">
          {label}
        </label>
        <TextArea
          id={id}
          readOnly
          rows={3}
          value={text}
          spellCheck={false}
          translate="no"
          className="min-h-0 resize-none font-mono text-base break-all"
          onFocus={({ target }) => target.select()}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <CopyButton text={text} label={copyLabel ?? actions.copy} copiedLabel={onceTexts.copied} />
          {hint && <p className="min-w-0 flex-1 text-xs text-text">{hint}</p>}
        </div>
        <div role="alert">
          {refused && <ErrorText id={`${id}-refused`}>{onceTexts.copyRefused}</ErrorText>}
        </div>
      </div>
      {children}
    </Dialog>
  );
}
