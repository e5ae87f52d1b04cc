import { FileUp } from 'lucide-react';
import { type DragEvent, type ReactNode, type Ref, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { cx } from './cx.ts';

interface FileDropProps {
  /** The label of the button: 'Elegir archivo'. */
  label: string;
  /** The text above the button: 'Arrastra tu archivo aquí'. */
  invitation: string;
  /** The text below the button: accepted kinds and limits. */
  hint: string;
  /** As in `<input accept>`. Other files can still be dropped; the caller must refuse them with a message. */
  accept: string;
  onFile: (file: File) => void;
  buttonRef?: Ref<HTMLButtonElement>;
  /** A second button for another way to choose a file. */
  other?: ReactNode;
}

/** An area for one file: dropped, or chosen with the button, which is the only focusable element. */
export function FileDrop({ label, invitation, hint, accept, onFile, buttonRef, other }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (file: File | undefined) => {
    if (file !== undefined) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is the first
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        'flex flex-col items-center gap-3 rounded-xl border border-dashed px-4 py-10 text-center transition-colors',
        isOver ? 'border-brand bg-brand-tint' : 'border-border-strong bg-sunken',
      )}
    >
      <FileUp aria-hidden className="size-8 text-muted" />
      <p className="text-base font-medium pointer-coarse:hidden">{invitation}</p>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ target }) => {
          take(target.files?.[0]);
          // Cleared, so that choosing the same file again causes a change event.
          target.value = '';
        }}
      />
      <div className="flex flex-wrap justify-center gap-2">
        <Button ref={buttonRef} variant="primary" onClick={() => input.current?.click()}>
          {label}
        </Button>
        {other}
      </div>
      <p className="max-w-md text-xs text-balance text-muted">{hint}</p>
    </div>
  );
}
