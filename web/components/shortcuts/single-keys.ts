import { create } from 'zustand';
import { readStored, writeStored } from '../../api/storage.ts';

const STORAGE_KEY = 'license_manager_shortcuts';

/**
 * Whether shortcuts of a single key are on. They can be turned off, because speech input and typing errors can trigger
 * them by accident (WCAG 2.1.4). The choice is stored in the browser; shortcuts with Ctrl stay on.
 */
export const useSingleKeys = create(() => ({ on: readStored(STORAGE_KEY) !== 'off' }));

export function setSingleKeys(on: boolean): void {
  writeStored(STORAGE_KEY, on ? null : 'off');
  useSingleKeys.setState({ on });
}
