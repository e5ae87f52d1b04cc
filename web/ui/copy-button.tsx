import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, type ButtonSize, type ButtonVariant, IconButton } from './button.tsx';
import { copyText } from './copy-text.ts';

/** How long 'Copiada' is shown. */
const CONFIRMED_MS = 2_000;

interface CopyButtonProps {
  text: string;
  label?: string;
  /** What it copies, for screen readers only, where several buttons of this label stand together: 'Copiar CLABE'. */
  of?: string;
  copiedLabel?: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  iconOnly?: boolean;
}

/** Copies `text` with one click, and confirms it in the button and in a polite live region. */
export function CopyButton({
  text,
  label = 'Copiar',
  of,
  copiedLabel = 'Copiada',
  variant = 'secondary',
  size = 'md',
  iconOnly = false,
}: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>('none');

  useEffect(() => {
    if (outcome === 'none') return;
    const timer = setTimeout(() => setOutcome('none'), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => setOutcome((await copyText(text)) ? 'copied' : 'failed');
  const shownLabel = { none: label, copied: copiedLabel, failed: 'No se pudo copiar' }[outcome];
  const icon = outcome === 'copied' ? Check : Copy;
  return (
    <>
      {iconOnly ? (
        <IconButton size="sm" icon={icon} label={shownLabel} onClick={copy} />
      ) : (
        <Button variant={variant} size={size} icon={icon} onClick={copy}>
          {shownLabel}
          {of !== undefined && <span className="sr-only">{` ${of}`}</span>}
        </Button>
      )}
      <span role="status" className="sr-only">
        {outcome === 'none' ? '' : shownLabel}
      </span>
    </>
  );
}
