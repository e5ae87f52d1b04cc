import { useEffect } from 'react';
import { documentTitle, PRODUCT } from '../../text/es.ts';

/** The title of the browser window: the name of the open record, if any, then the name of the screen. */
let screen: string | undefined;
let record: string | undefined;

function show(): void {
  if (screen === undefined) document.title = PRODUCT;
  else document.title = documentTitle(record === undefined ? screen : `${record} · ${screen}`);
}

/** Called by the router when a screen is shown. */
export function setScreenTitle(title: string | undefined): void {
  screen = title;
  show();
}

/**
 * Puts the record's name into the window's title while its dialog is open. `name` is undefined while the record loads.
 */
export function useRecordTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return;
    record = name;
    show();
    return () => {
      record = undefined;
      show();
    };
  }, [name]);
}
