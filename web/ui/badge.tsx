import type { ReactNode } from 'react';
import { cx } from './cx.ts';

const BADGE_TONES = [
  'success',
  'secondary',
  'danger',
  'danger-outline',
  'warning',
  'info',
  'violet',
  'indigo',
  'neutral',
] as const;
export type BadgeTone = (typeof BADGE_TONES)[number];

/** In the dark theme a border separates the tint from the background. */
const TINTED = 'border-transparent dark:border-current/30';

const TONES: Record<BadgeTone, { box: string; dot: string }> = {
  success: { box: `${TINTED} bg-success-tint text-success-text`, dot: 'bg-success' },
  secondary: { box: `${TINTED} bg-neutral-tint text-neutral-text`, dot: 'bg-neutral' },
  danger: { box: `${TINTED} bg-critical-tint text-critical-text`, dot: 'bg-critical' },
  'danger-outline': { box: 'border-critical text-critical-text', dot: 'border border-critical' },
  warning: { box: `${TINTED} bg-warning-tint text-warning-text`, dot: 'bg-warning' },
  info: { box: `${TINTED} bg-info-tint text-info-text`, dot: 'bg-info' },
  violet: { box: `${TINTED} bg-violet-tint text-violet-text`, dot: 'bg-violet' },
  indigo: { box: `${TINTED} bg-indigo-tint text-indigo-text`, dot: 'bg-indigo' },
  neutral: { box: 'border-border text-muted dark:border-border-strong/70', dot: 'bg-neutral' },
};

interface BadgeProps {
  tone: BadgeTone;
  /** False for a category, which is not a status. */
  dot?: boolean;
  children: ReactNode;
}

/** A status or category. It always has a text, so the colour is never the only information. */
export function Badge({ tone, dot = true, children }: BadgeProps) {
  const { box, dot: dotClass } = TONES[tone];
  return (
    <span
      className={cx(
        'inline-flex h-5.5 max-w-full items-baseline gap-1.5 rounded-full border px-2 text-xs/5 font-medium',
        box,
      )}
    >
      {/* Inline, so that the badge has the same baseline as the texts beside it. */}
      {dot && (
        <span aria-hidden className={cx('relative -top-px size-1.5 shrink-0 rounded-full', dotClass)} />
      )}
      <span className="truncate">{children}</span>
    </span>
  );
}
