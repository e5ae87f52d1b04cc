import type { Tone } from './tone.ts';

/** How long a toast stays before it fades (SEED-4-06, SEED-4-07). */
export const TOAST_MS = 5_000;
export const ERROR_TOAST_MS = 10_000;
/** How long it fades (SEED-4-08). */
const TOAST_FADE_MS = 300;
/** The most toasts at a time; a further one removes the oldest. */
const MOST_AT_ONCE = 5;

export type ToastTone = Extract<Tone, 'success' | 'info' | 'critical'>;

/** A button in a toast, such as 'Deshacer'; pressing it also closes the toast. */
export interface ToastAction {
  label: string;
  run: () => void;
}

/** A link in a toast that opens another page, such as a chat; the toast stays. */
export interface ToastLink {
  label: string;
  href: string;
}

interface ToastOffers {
  action?: ToastAction | undefined;
  link?: ToastLink | undefined;
}

export interface Toast {
  readonly id: number;
  readonly tone: ToastTone;
  readonly title: string;
  readonly text: string | undefined;
  readonly action: ToastAction | undefined;
  readonly link: ToastLink | undefined;
  readonly leaving: boolean;
}

let shown: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const remove = (id: number) => publish(shown.filter((toast) => toast.id !== id));

function publish(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

function show(tone: ToastTone, title: string, text?: string, { action, link }: ToastOffers = {}): void {
  lastId += 1;
  publish([...shown, { id: lastId, tone, title, text, action, link, leaving: false }].slice(-MOST_AT_ONCE));
}

/**
 * Shows a notification, from anywhere: `toasts.success('Cliente creado exitosamente')`. A message that the user must
 * act on must also be shown inline, because a toast disappears. What can be undone has 'Deshacer' in its toast.
 */
export const toasts = {
  success: (title: string, text?: string, action?: ToastAction, link?: ToastLink) =>
    show('success', title, text, { action, link }),
  info: (title: string, text?: string) => show('info', title, text),
  error: (title: string, text?: string) => show('critical', title, text),
  /** Starts the fade of one toast; it is removed 300 ms later. */
  dismiss(id: number): void {
    const toast = shown.find((candidate) => candidate.id === id);
    if (!toast || toast.leaving) return;
    publish(shown.map((candidate) => (candidate.id === id ? { ...candidate, leaving: true } : candidate)));
    setTimeout(() => remove(id), TOAST_FADE_MS);
  },
} as const;

/** For `useSyncExternalStore`: the toasts on screen, oldest first. */
export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => shown,
} as const;
