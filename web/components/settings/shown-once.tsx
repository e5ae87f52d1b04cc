import { type ReactNode, useId, useRef } from 'react';
import { onceTexts } from '../../text/es-people.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/text-input.tsx';

interface ShownOnceProps {
  title: string;
  lead: ReactNode;
  /** The name of the text: 'Enlace'. */
  label: string;
  text: string;
  hint?: string;
  copyLabel?: string;
  /** The only button that closes the dialog: it says that the text is kept. */
  confirm: string;
  onClose: () => void;
}

/** A text that is never shown again. Escape does not close it, so that it is not lost by accident. */
export function ShownOnce({ title, lead, label, text, hint, copyLabel, confirm, onClose }: ShownOnceProps) {
  const id = useId();
  const confirmRef = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      size="md"
      title={title}
      description={lead}
      // Escape and the × lead to the button that closes it.
      onClose={() => confirmRef.current?.focus()}
      footer={
        <Button ref={confirmRef} variant="primary" onClick={onClose}>
          {confirm}
        </Button>
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
          className="min-h-0 resize-none font-mono text-base break-all"
          onFocus={({ target }) => target.select()}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <CopyButton text={text} label={copyLabel ?? 'Copiar'} copiedLabel={onceTexts.copied} />
          {hint && <p className="min-w-0 flex-1 text-xs text-text">{hint}</p>}
        </div>
      </div>
    </Dialog>
  );
}
