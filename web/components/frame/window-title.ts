import { useEffect } from 'react';
import { documentTitle, PRODUCT } from '../../text/es.ts';

/** The window's title names the screen and, in front of it, the record whose details are open. */
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

/** Puts a record's name into the window's title while its dialog is open; undefined while it loads. */
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
