import { CSPProvider } from '@base-ui/react/csp-provider';
import { type ReactNode, useEffect } from 'react';
import { followScrollbarWidth } from './scrollbar-width.ts';
import { ToastHost } from './toast-host.tsx';
import { TooltipLayer } from './tooltip-layer.tsx';

/**
 * Renders once around the console: turns off style elements at run time (the Content-Security-Policy refuses them), and
 * adds the tooltip, the toasts, which stay across routes (D104), and the scrollbar's width.
 */
export function UiProvider({ children }: { children: ReactNode }) {
  useEffect(followScrollbarWidth, []);
  return (
    <CSPProvider disableStyleElements>
      {children}
      <TooltipLayer />
      <ToastHost />
    </CSPProvider>
  );
}
