import type { Toast } from '@base-ui/react/toast';
import type { Tone } from './tone.ts';

/** How long a toast stays before it disappears (SEED-4-06, SEED-4-07). */
export const TOAST_MS = 5_000;
const ERROR_TOAST_MS = 10_000;

export type ToastTone = Tone;

/** A button in a toast, such as 'Deshacer'. Pressing it also closes the toast. */
export interface ToastAction {
  label: string;
  run: () => void;
}

/** A link in a toast that opens another page, such as a chat. The toast stays. */
export interface ToastLink {
  label: string;
  href: string;
}

/** Our data of a toast, which Base UI stores beside title and text. */
export interface ToastData {
  tone: ToastTone;
  action?: ToastAction | undefined;
  link?: ToastLink | undefined;
}

type Manager = Pick<ReturnType<typeof Toast.useToastManager<ToastData>>, 'add' | 'close'>;
type NewToast = Parameters<Manager['add']>[0];

/** Base UI's toast manager. Null until its code, which loads after the first paint, is there. */
let manager: Manager | null = null;
/** Toasts that were created before that. */
const waiting: NewToast[] = [];
const errorIds = new Set<string>();
let lastId = 0;

/**
 * Shows toasts with Base UI from now on, first those that wait. Called by the host; returns a function that ends it.
 */
export function showToastsBy(shown: Manager): () => void {
  manager = shown;
  for (const toast of waiting.splice(0)) shown.add(toast);
  return () => {
    manager = null;
  };
}

function show(title: string, text: string | undefined, data: ToastData): void {
  lastId += 1;
  const id = `toast-${lastId}`;
  const isError = data.tone === 'critical';
  if (isError) errorIds.add(id);
  const toast = { id, title, description: text, data, timeout: isError ? ERROR_TOAST_MS : TOAST_MS };
  if (manager === null) waiting.push(toast);
  else manager.add(toast);
}

/**
 * Shows a notification; can be called anywhere: `toasts.success('Cliente creado exitosamente')`. A message that
 * requires an action must also be shown on the page, because a toast disappears. An action that can be undone has
 * 'Deshacer' in its toast.
 */
export const toasts = {
  success: (title: string, text?: string, action?: ToastAction, link?: ToastLink) =>
    show(title, text, { tone: 'success', action, link }),
  info: (title: string, text?: string) => show(title, text, { tone: 'info' }),
  /** What was asked was done, but not with the effect that its name promises: a mail that nobody receives (D011). */
  warning: (title: string, text?: string, action?: ToastAction, link?: ToastLink) =>
    show(title, text, { tone: 'warning', action, link }),
  error: (title: string, text?: string) => show(title, text, { tone: 'critical' }),
  /** Closes all errors that are still shown. */
  dismissErrors(): void {
    for (const id of errorIds) manager?.close(id);
    errorIds.clear();
  },
} as const;
