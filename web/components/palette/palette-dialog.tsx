import { LoaderCircle, Search, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { paletteTexts } from '../../text/es-palette.ts';
import { IconButton } from '../../ui/button.tsx';
import { PalettePanel } from './palette-panel.tsx';
import { SEARCH_FIELD } from './search-field.ts';
import type { ReachableScreen } from './use-actions.ts';
import { usePalette } from './use-palette.ts';

interface PaletteDialogProps {
  screens: readonly ReachableScreen[];
  /** True for Ctrl+K: the first match is active. False for the search box on a narrow screen (D017). */
  firstIsActive: boolean;
  /** The initial text. */
  text: string;
  /** True if Enter was already pressed: the first match opens when the answer arrives. */
  entered: boolean;
  onClose: () => void;
}

/**
 * The palette as a dialog: centred on a wide screen, full size on a narrow one. It is the browser's modal <dialog>,
 * because that stays above an open dialog of the console, keeps the focus inside and returns it when it closes.
 */
export function PaletteDialog({ screens, firstIsActive, text: begun, entered, onClose }: PaletteDialogProps) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(begun);
  const palette = usePalette({ text, screens, firstIsActive, entered, onText: setText, onClose });
  const hasOptions = palette.groups.length > 0;

  useLayoutEffect(() => {
    const dialog = dialogRef.current;
    dialog?.showModal();
    const end = inputRef.current?.value.length ?? 0;
    inputRef.current?.setSelectionRange(end, end);
    return () => dialog?.close();
  }, []);

  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by keyboard
    <dialog
      ref={dialogRef}
      aria-label={paletteTexts.title}
      // A dialog that opens under this one hides all other elements from screen readers, except those with this
      // attribute.
      aria-live="off"
      data-locks-scroll
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Clicks on the backdrop have the <dialog> element itself as target.
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      className="m-0 h-dvh max-h-none w-full max-w-none overflow-hidden bg-raised text-text outline-none backdrop:bg-scrim sm:mx-auto sm:mt-[12dvh] sm:h-fit sm:max-h-[min(36rem,76dvh)] sm:w-[40rem] sm:rounded-xl sm:border sm:border-border sm:shadow-over"
    >
      <div className="flex h-full max-h-[inherit] flex-col">
        <div className="flex shrink-0 items-center gap-3 border-b border-border pr-2 pl-4">
          {palette.pending ? (
            <LoaderCircle aria-hidden className="size-4.5 shrink-0 animate-turn text-muted" />
          ) : (
            <Search aria-hidden className="size-4.5 shrink-0 text-muted" />
          )}
          <input
            ref={inputRef}
            {...SEARCH_FIELD}
            role="combobox"
            aria-expanded={hasOptions}
            aria-controls={hasOptions ? palette.listId : undefined}
            aria-activedescendant={palette.active && palette.idOf(palette.active)}
            placeholder={paletteTexts.placeholder}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={palette.onKeyDown}
            className="h-13 min-w-0 flex-1 bg-transparent text-base outline-none"
          />
          <IconButton label={paletteTexts.close} icon={X} tooltip={false} onClick={onClose} />
        </div>
        <PalettePanel palette={palette} className="flex-1" />
      </div>
    </dialog>,
    document.body,
  );
}
