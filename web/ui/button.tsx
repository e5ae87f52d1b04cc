import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent } from 'react';
import { cx } from './cx.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-brand text-on-brand shadow-edge hover:bg-brand-hover active:bg-brand-hover',
  secondary:
    'border border-border-strong/60 bg-surface text-text shadow-edge hover:bg-sunken active:bg-sunken',
  ghost: 'text-muted hover:bg-sunken hover:text-text active:bg-sunken',
  danger:
    'bg-critical-fill text-on-brand shadow-edge hover:bg-critical-fill-hover active:bg-critical-fill-hover',
};

const SIZES: Record<ButtonSize, string> = {
  sm: 'h-8 gap-1.5 px-2.5 pointer-coarse:h-11',
  md: 'h-9 gap-2 px-3.5 pointer-coarse:h-11',
  lg: 'h-11 gap-2 px-5',
};

const BASE =
  'inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-lg font-medium transition-colors ' +
  'disabled:opacity-50 aria-disabled:opacity-50';

/**
 * The classes of a button, for other elements that should look like one: a router link, a download.
 *
 *     <Link to="/clients" className={buttonClass('secondary')}>Agregar Cliente</Link>
 */
export function buttonClass(
  variant: ButtonVariant = 'primary',
  size: ButtonSize = 'md',
  className?: string,
): string {
  return cx(BASE, VARIANTS[variant], SIZES[size], className);
}

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: LucideIcon;
  /** True while the action runs: the button keeps its width and its focus, is aria-busy, and ignores clicks. */
  busy?: boolean;
  /** The label while busy ('Creando...'); if absent, the label stays and a spinner is shown. */
  busyLabel?: string;
  /** On a narrow screen only the icon is visible; the label is still the accessible name. */
  compact?: boolean;
}

/**
 * A button. The label and the busy label are in the same grid cell, so that the wider one determines the width and it
 * does not change. The hidden one is a pseudo-element, so that screen readers and tests find only one. While busy the
 * button is not `disabled`, because a disabled button would lose the focus.
 */
export function Button({
  variant = 'secondary',
  size = 'md',
  icon: Icon,
  busy,
  busyLabel,
  compact = false,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    // Prevents that a busy submit button submits again.
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  const shownLabel = busy ? (busyLabel ?? children) : children;
  const canBeBusy = busy !== undefined;
  const spare = busy ? children : (busyLabel ?? children);
  const spareHasMark = !busy || Icon !== undefined;
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={handleClick}
      className={buttonClass(
        variant,
        size,
        cx(
          busy && 'aria-disabled:opacity-80',
          compact && 'max-sm:w-9 max-sm:px-0 max-sm:pointer-coarse:w-11',
          className,
        ),
      )}
    >
      <span
        data-spare={canBeBusy && typeof spare === 'string' ? spare : undefined}
        className={cx(
          'grid justify-items-center',
          'data-spare:after:invisible data-spare:after:col-start-1 data-spare:after:row-start-1',
          'data-spare:after:h-0 data-spare:after:content-[attr(data-spare)]',
          spareHasMark && 'data-spare:after:pl-6',
          // If only the icon is shown, the width is fixed, and the hidden label would overlap elements beside the
          // button.
          compact && 'max-sm:data-spare:after:hidden',
        )}
      >
        <span className="col-start-1 row-start-1 inline-flex items-center gap-2">
          {busy && <LoaderCircle aria-hidden className="size-4 shrink-0 animate-turn" />}
          {!busy && Icon && <Icon aria-hidden className="size-4 shrink-0" />}
          {compact ? <span className="max-sm:sr-only">{shownLabel}</span> : shownLabel}
        </span>
      </span>
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label' | 'title'> {
  /** The accessible name, also shown as a tooltip. */
  label: string;
  icon: LucideIcon;
  tone?: 'quiet' | 'danger';
  size?: 'sm' | 'md';
  /** False if the meaning is obvious, as for the × of a dialog. */
  tooltip?: boolean;
}

const ICON_BUTTON_SIZES: Record<'sm' | 'md', string> = {
  sm: 'size-7 pointer-coarse:size-11',
  md: 'size-9 pointer-coarse:size-11',
};

/** The classes of an icon button, for a link that looks like one. */
export const iconButtonClass = (
  tone: 'quiet' | 'danger' = 'quiet',
  size: 'sm' | 'md' = 'md',
  className?: string,
): string =>
  cx(
    'inline-flex shrink-0 items-center justify-center rounded-lg text-muted transition-colors disabled:opacity-40',
    tone === 'danger' ? 'hover:bg-critical-tint hover:text-critical-text' : 'hover:bg-sunken hover:text-text',
    ICON_BUTTON_SIZES[size],
    className,
  );

/** A button with only an icon. */
export function IconButton({
  label,
  icon: Icon,
  tone,
  size,
  tooltip = true,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      data-tooltip={tooltip ? label : undefined}
      className={iconButtonClass(tone, size, className)}
    >
      <Icon aria-hidden className="size-4.5" />
    </button>
  );
}
