import { CSPProvider } from '@base-ui/react/csp-provider';
import { type ReactNode, useEffect } from 'react';
import { followScrollbarWidth } from './scrollbar-width.ts';
import { ToastHost } from './toast-host.tsx';
import { TooltipLayer } from './tooltip-layer.tsx';

/**
 * What the kit needs once, around the whole console: no style elements made at run time (the Content-Security-Policy
 * refuses them), the one tooltip, the toasts, which outlive every route (D104), and the width of the scrollbar.
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
