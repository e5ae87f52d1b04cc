import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import type { Tone } from './tone.ts';

const TONES: Record<Tone, { icon: LucideIcon; box: string; mark: string }> = {
  success: { icon: CircleCheck, box: 'border-success/40 bg-success-tint', mark: 'text-success-text' },
  info: { icon: Info, box: 'border-info/40 bg-info-tint', mark: 'text-info-text' },
  warning: { icon: TriangleAlert, box: 'border-warning/40 bg-warning-tint', mark: 'text-warning-text' },
  critical: { icon: CircleAlert, box: 'border-critical/40 bg-critical-tint', mark: 'text-critical-text' },
};

interface BannerProps {
  tone: Tone;
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
  icon?: LucideIcon;
  /**
   * `alert` interrupts a screen reader, `status` waits. For a banner that is rendered from the start: `note` if it is
   * important, else `none`.
   */
  announce?: 'alert' | 'status' | 'note' | 'none';
  className?: string;
}

/** A permanent message: the offline banner, a hint, a note in a dialog. */
export function Banner({ tone, title, children, action, icon, announce = 'none', className }: BannerProps) {
  const { icon: toneIcon, box, mark } = TONES[tone];
  const Icon = icon ?? toneIcon;
  return (
    <div
      role={announce === 'none' ? undefined : announce}
      className={cx('flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg border px-4 py-3', box, className)}
    >
      <Icon aria-hidden className={cx('mt-px size-4.5 shrink-0', mark)} />
      <div className="min-w-40 flex-1">
        {title && <p className={cx('font-medium', mark)}>{title}</p>}
        {children && <div className="text-text">{children}</div>}
      </div>
      {action}
    </div>
  );
}

/** The green strip that describes the contents of a list (D018). Pass a single string, so that it is one text node. */
export function InfoStrip({ children }: { children: string }) {
  return (
    <p role="status" className="rounded-lg bg-success-tint px-4 py-2 text-xs font-medium text-success-text">
      {children}
    </p>
  );
}

/** An error message, announced when it appears; null if there is no error. */
export const Failure = ({ text }: { text: string | null }) =>
  text !== null && (
    <Banner tone="critical" announce="alert">
      {text}
    </Banner>
  );
