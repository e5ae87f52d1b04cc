import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { PalettePanel } from './palette-panel.tsx';
import type { ReachableScreen } from './use-actions.ts';
import { usePalette } from './use-palette.ts';

interface PalettePopupProps {
  inputRef: RefObject<HTMLInputElement | null>;
  text: string;
  onText: (text: string) => void;
  screens: readonly ReachableScreen[];
  /** Called with true when an option was chosen. */
  onClose: (chosen: boolean) => void;
}

/**
 * The palette under the search box of the top bar. The box is part of the first page load and this code is not, so the
 * key handlers and combobox attributes are added to the box here. No option is active until an arrow key or the
 * pointer chooses one, and Enter without a choice does nothing (D017).
 */
export function PalettePopup({ inputRef, text, onText, screens, onClose }: PalettePopupProps) {
  const palette = usePalette({ text, screens, firstIsActive: false, onText, onClose });
  const { onKeyDown, listId } = palette;

  useEffect(() => {
    const input = inputRef.current;
    input?.addEventListener('keydown', onKeyDown);
    return () => input?.removeEventListener('keydown', onKeyDown);
  }, [inputRef, onKeyDown]);

  const hasOptions = palette.groups.length > 0;
  const activeId = palette.active && palette.idOf(palette.active);
  useLayoutEffect(() => {
    const input = inputRef.current;
    if (input === null || !hasOptions) return;
    input.setAttribute('aria-expanded', 'true');
    input.setAttribute('aria-controls', listId);
    if (activeId !== undefined) input.setAttribute('aria-activedescendant', activeId);
    return () => {
      input.setAttribute('aria-expanded', 'false');
      input.removeAttribute('aria-controls');
      input.removeAttribute('aria-activedescendant');
    };
  }, [inputRef, hasOptions, listId, activeId]);

  return (
    <PalettePanel
      palette={palette}
      className="absolute top-full left-0 z-10 mt-2 max-h-[min(36rem,calc(100dvh-6rem))] w-[min(40rem,calc(100vw-2rem))] overflow-hidden rounded-xl border border-border bg-raised shadow-float"
    />
  );
}
