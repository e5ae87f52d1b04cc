import { Toast } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { cx } from './cx.ts';
import { TextButton, textButtonClass } from './text-button.tsx';
import { showToastsBy, TOAST_MS, type ToastData, type ToastTone } from './toasts.ts';
import { useToastPlace } from './use-toast-place.ts';

const MARKS: Record<ToastTone, { icon: LucideIcon; className: string }> = {
  success: { icon: CircleCheck, className: 'text-success' },
  info: { icon: Info, className: 'text-info' },
  warning: { icon: TriangleAlert, className: 'text-warning' },
  critical: { icon: CircleAlert, className: 'text-critical' },
};

/** The most toasts shown at a time; older ones are hidden. */
const MOST_AT_ONCE = 5;

/**
 * The toasts: in the upper right corner, above dialogs and their scrim (SEED-2.3-05, `useToastPlace`). Base UI manages
 * them and their timers, which stop under the pointer or the focus (WCAG 2.2.1, D104).
 */
export const ToastHost = () => (
  <Toast.Provider limit={MOST_AT_ONCE} timeout={TOAST_MS}>
    <ToastList />
  </Toast.Provider>
);

/**
 * In <body> beside the dialogs. With `aria-live` a modal dialog does not hide it from screen readers. It is "off",
 * because each toast announces itself.
 */
function ToastList() {
  const { toasts, add, close } = Toast.useToastManager<ToastData>();
  const hostRef = useRef<HTMLDivElement>(null);
  useToastPlace(hostRef, toasts.length);
  useEffect(() => showToastsBy({ add, close }), [add, close]);
  return createPortal(
    <Toast.Viewport
      ref={hostRef}
      render={<section />}
      aria-label="Avisos"
      aria-live="off"
      data-print="hidden"
      className="pointer-events-none fixed top-3 right-3 z-50 flex w-96 max-w-[calc(100vw-1.5rem)] flex-col gap-2"
    >
      {toasts.toReversed().map((toast) => (
        <ToastCard key={toast.id} toast={toast} onClose={() => close(toast.id)} />
      ))}
    </Toast.Viewport>,
    document.body,
  );
}

/** Removes an attribute that Base UI sets for dialogs and that is not allowed on a message. */
const NO_DIALOG = { 'aria-modal': undefined };

interface ToastCardProps {
  toast: Toast.Root.ToastObject<ToastData>;
  onClose: () => void;
}

function ToastCard({ toast, onClose }: ToastCardProps) {
  const { title, description, data: { tone, action, link } = { tone: 'info' }, transitionStatus } = toast;
  const { icon: Icon, className } = MARKS[tone];
  return (
    <Toast.Root
      toast={toast}
      swipeDirection={[]}
      // A message, although Base UI makes it a dialog: it is announced, and Tab does not stop at it.
      role={tone === 'critical' ? 'alert' : 'status'}
      {...NO_DIALOG}
      tabIndex={-1}
      className={cx(
        'pointer-events-auto flex animate-toast-in items-start gap-3 rounded-xl border border-border bg-raised p-3.5 shadow-float outline-none',
        'transition-opacity duration-300 data-ending-style:opacity-0 data-limited:hidden',
      )}
    >
      <Icon aria-hidden className={cx('mt-px size-4.5 shrink-0', className)} />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-text">{title}</p>
        {description && <p className="mt-0.5 text-muted wrap-anywhere">{description}</p>}
        {link && (
          <a
            href={link.href}
            target="_blank"
            rel="noopener noreferrer"
            className={textButtonClass('mt-0.5 inline-flex items-center')}
          >
            {link.label}
          </a>
        )}
      </div>
      {action && transitionStatus !== 'ending' && (
        <TextButton
          className="-my-0.5 shrink-0 pointer-coarse:-my-3"
          onClick={() => {
            onClose();
            action.run();
          }}
        >
          {action.label}
        </TextButton>
      )}
      <Toast.Close
        aria-label="Cerrar aviso"
        aria-hidden={undefined}
        className="-m-1 flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:-m-3 pointer-coarse:size-11"
      >
        <X aria-hidden className="size-4" />
      </Toast.Close>
    </Toast.Root>
  );
}
