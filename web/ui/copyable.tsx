import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

interface CopyableProps {
  text: string;
  /** The accessible name of the button: 'Copiar email'. */
  label: string;
  copiedLabel?: string;
  /** The displayed text, for example a link; default: the text itself. */
  children?: ReactNode;
}

/** A short value and a button that copies it. */
export function Copyable({ text, label, copiedLabel = 'Copiado', children = text }: CopyableProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="min-w-0 wrap-anywhere">{children}</span>
      {/* The button is taller than a line of text but must not increase the line height. */}
      <span data-print="hidden" className="-my-1 inline-flex shrink-0 pointer-coarse:-my-3">
        <CopyButton iconOnly text={text} label={label} copiedLabel={copiedLabel} />
      </span>
    </span>
  );
}
