import { useEffect } from 'react';
import { useRememberOpened } from '../palette/recent-records.ts';
import { pressEarlyKeys } from '../shortcuts/early-keys.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { ShortcutsHelp } from './shortcuts-help.tsx';
import { StepUp } from './step-up.tsx';
import { useBellData } from './use-bell-data.ts';

/** The part of the frame that draws nothing at first; it loads once the frame is drawn. */
export function FrameLater() {
  useShortcuts();
  useRememberOpened();
  useBellData();
  // After the effect of useShortcuts, which answers them.
  useEffect(pressEarlyKeys, []);
  return (
    <>
      <ShortcutsHelp />
      <StepUp />
    </>
  );
}
