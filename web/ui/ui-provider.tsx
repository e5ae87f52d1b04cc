import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';
import { ToastHost } from './toast-host.tsx';

/**
 * What the kit needs once, around the whole console: no style elements made at run time (the Content-Security-Policy
 * refuses them), tooltips that follow each other without delay, and the toasts, which outlive every route (D104).
 */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <Tooltip.Provider delay={500} closeDelay={0}>
        {children}
        <ToastHost />
      </Tooltip.Provider>
    </CSPProvider>
  );
}
