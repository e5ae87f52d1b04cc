import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';

interface TooltipProps {
  /** The words; the trigger must carry the same meaning in its own accessible name. */
  text: string;
  side?: 'top' | 'right' | 'bottom' | 'left';
  disabled?: boolean;
  /** The element that is explained; it must accept a ref and spread its props. */
  children: ReactElement;
}

/** A few words beside an icon for people who see and point. It adds nothing for others: the name says it already. */
export function Tooltip({ text, side = 'top', disabled = false, children }: TooltipProps) {
  return (
    <BaseTooltip.Root disabled={disabled}>
      <BaseTooltip.Trigger render={children} />
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner side={side} sideOffset={6} className="z-60">
          <BaseTooltip.Popup className="pointer-events-none max-w-64 rounded-md bg-text px-2 py-1 text-xs font-medium text-page shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            {text}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}
