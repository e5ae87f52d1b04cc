import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

interface CopyableProps {
  text: string;
  /** The button's name: 'Copiar email'. */
  label: string;
  copiedLabel?: string;
  /** The text as it is shown, perhaps a link; default: the text itself. */
  children?: ReactNode;
}

/** A short value and a button that copies it. */
export function Copyable({ text, label, copiedLabel = 'Copiado', children = text }: CopyableProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="min-w-0 wrap-anywhere">{children}</span>
      {/* The button is taller than a line of text and must not make the line taller. */}
      <span data-print="hidden" className="-my-1 inline-flex shrink-0 pointer-coarse:-my-3">
        <CopyButton iconOnly text={text} label={label} copiedLabel={copiedLabel} />
      </span>
    </span>
  );
}
