import { CSPProvider } from '@base-ui/react/csp-provider';
import { type ReactNode, useEffect } from 'react';
import { followScrollbarWidth } from './scrollbar-width.ts';

/**
 * Render it once around the console. It turns off style elements at run time, because the Content-Security-Policy
 * refuses them, and measures the scrollbar's width. <Floating> is rendered beside it.
 */
export function UiProvider({ children }: { children: ReactNode }) {
  useEffect(followScrollbarWidth, []);
  return <CSPProvider disableStyleElements>{children}</CSPProvider>;
}
