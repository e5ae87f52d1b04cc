import { cx } from './cx.ts';

interface AvatarProps {
  /** One or two letters. */
  initials: string;
  size?: 'sm' | 'md' | 'lg';
}

const SIZES: Record<'sm' | 'md' | 'lg', string> = {
  sm: 'size-7 text-xs',
  md: 'size-9 text-xs',
  lg: 'size-12 text-base',
};

/** Initials in a circle, shown beside the name and hidden from screen readers. */
export function Avatar({ initials, size = 'md' }: AvatarProps) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-flex shrink-0 select-none items-center justify-center rounded-full bg-brand-tint font-semibold text-brand-text uppercase',
        SIZES[size],
      )}
    >
      {initials}
    </span>
  );
}
