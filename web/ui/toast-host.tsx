import { CircleAlert, CircleCheck, Info, type LucideIcon, X } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { cx } from './cx.ts';
import { TextButton, textButtonClass } from './text-button.tsx';
import { ERROR_TOAST_MS, TOAST_MS, type Toast, type ToastTone, toastStore, toasts } from './toasts.ts';
import { useToastPlace } from './use-toast-place.ts';

const MARKS: Record<ToastTone, { icon: LucideIcon; className: string }> = {
  success: { icon: CircleCheck, className: 'text-success' },
  info: { icon: Info, className: 'text-info' },
  critical: { icon: CircleAlert, className: 'text-critical' },
};

/**
 * The toasts: above dialogs, near the upper right corner, where they cover nothing that can be pressed (SEED-2.3-05,
 * `useToastPlace`). They are in <body> beside the dialogs, and `aria-live` keeps a modal dialog from hiding them from
 * screen readers. Each toast announces itself, so the region has `aria-live="off"`.
 */
export function ToastHost() {
  const shown = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  const hostRef = useRef<HTMLElement>(null);
  useToastPlace(hostRef, shown.length);
  return createPortal(
    <section
      ref={hostRef}
      aria-label="Avisos"
      aria-live="off"
      data-print="hidden"
      className="pointer-events-none fixed -top-96 right-3 z-50 flex w-96 max-w-[calc(100vw-1.5rem)] flex-col gap-2"
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>,
    document.body,
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState({ hover: false, focus: false });
  const paused = held.hover || held.focus;
  useDismissAfter(toast, paused);
  const { icon: Icon, className } = MARKS[toast.tone];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses its timer; there is nothing to operate
    <div
      role={toast.tone === 'critical' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld((before) => ({ ...before, hover: true }))}
      onPointerLeave={() => setHeld((before) => ({ ...before, hover: false }))}
      onFocus={() => setHeld((before) => ({ ...before, focus: true }))}
      onBlur={() => setHeld((before) => ({ ...before, focus: false }))}
      className={cx(
        'pointer-events-auto flex animate-toast-in items-start gap-3 rounded-xl border border-border bg-raised p-3.5 shadow-float',
        'transition-opacity duration-300',
        toast.leaving && 'opacity-0',
      )}
    >
      <Icon aria-hidden className={cx('mt-px size-4.5 shrink-0', className)} />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-text">{toast.title}</p>
        {toast.text && <p className="mt-0.5 text-muted wrap-anywhere">{toast.text}</p>}
        {toast.link && (
          <a
            href={toast.link.href}
            target="_blank"
            rel="noopener noreferrer"
            className={textButtonClass('mt-0.5 inline-flex items-center')}
          >
            {toast.link.label}
          </a>
        )}
      </div>
      {toast.action && !toast.leaving && (
        <TextButton
          className="-my-0.5 shrink-0 pointer-coarse:-my-3"
          onClick={() => {
            toasts.dismiss(toast.id);
            toast.action?.run();
          }}
        >
          {toast.action.label}
        </TextButton>
      )}
      <button
        type="button"
        aria-label="Cerrar aviso"
        onClick={() => toasts.dismiss(toast.id)}
        className="-m-1 flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:-m-3 pointer-coarse:size-11"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}

/** The toast's timer, paused while the toast is hovered or has focus (WCAG 2.2.1, D104). */
function useDismissAfter(toast: Toast, paused: boolean): void {
  const remaining = useRef(toast.tone === 'critical' ? ERROR_TOAST_MS : TOAST_MS);
  useEffect(() => {
    if (paused || toast.leaving) return;
    const startedAt = Date.now();
    const timer = setTimeout(() => toasts.dismiss(toast.id), remaining.current);
    return () => {
      clearTimeout(timer);
      remaining.current -= Date.now() - startedAt;
    };
  }, [paused, toast.id, toast.leaving]);
}
