import { useEffect } from 'react';
import { useRememberOpened } from '../palette/recent-records.ts';
import { pressEarlyKeys } from '../shortcuts/early-keys.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { ShortcutsHelp } from './shortcuts-help.tsx';
import { StepUp } from './step-up.tsx';
import { useBellData } from './use-bell-data.ts';

/** The part of the frame that shows nothing at first. It is loaded after the frame was rendered. */
export function FrameLater() {
  useShortcuts();
  useRememberOpened();
  useBellData();
  // Runs after the effect of useShortcuts, so that the early key presses reach its listener.
  useEffect(pressEarlyKeys, []);
  return (
    <>
      <ShortcutsHelp />
      <StepUp />
    </>
  );
}
