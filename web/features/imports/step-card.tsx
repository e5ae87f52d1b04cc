import {
  createContext,
  type FormEvent,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useId,
  useRef,
} from 'react';

/** True after the first step was shown: the headings of later steps take the focus. */
export const StepFocus = createContext<RefObject<boolean>>({ current: false });

const LOOK = 'flex min-h-96 flex-col rounded-xl border border-border bg-surface shadow-edge';

interface StepCardProps {
  title: string;
  subtitle?: ReactNode;
  children: ReactNode;
  /** The buttons, the primary one last; null if there are none. */
  footer: ReactNode;
  onSubmit?: (() => void) | undefined;
}

/** One step of the wizard: heading, content, buttons. */
export function StepCard({ title, subtitle, children, footer, onSubmit }: StepCardProps) {
  const id = useId();
  const moved = use(StepFocus);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (moved.current) heading.current?.focus();
    moved.current = true;
  }, [moved]);
  const content = (
    <>
      <header className="px-5 pt-5">
        <h2 ref={heading} id={id} tabIndex={-1} className="text-lg font-semibold">
          {title}
        </h2>
        {subtitle && <p className="mt-0.5 text-muted">{subtitle}</p>}
      </header>
      <div className="space-y-5 p-5">{children}</div>
      {footer && (
        <footer className="mt-auto flex flex-wrap justify-end gap-2 border-t border-border px-5 py-4 max-sm:*:flex-1">
          {footer}
        </footer>
      )}
    </>
  );
  if (onSubmit === undefined) {
    return (
      <section aria-labelledby={id} className={LOOK}>
        {content}
      </section>
    );
  }
  return (
    <form
      noValidate
      aria-labelledby={id}
      className={LOOK}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {content}
    </form>
  );
}
