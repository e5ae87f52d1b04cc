import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { ToastHost } from './toast-host.tsx';
import { TooltipLayer } from './tooltip-layer.tsx';

/**
 * What the kit needs once, around the whole console: no style elements made at run time (the Content-Security-Policy
 * refuses them), the one tooltip, and the toasts, which outlive every route (D104).
 */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      {children}
      <TooltipLayer />
      <ToastHost />
    </CSPProvider>
  );
}
