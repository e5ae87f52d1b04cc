import { CSPProvider } from '@base-ui/react/csp-provider';
import { type ReactNode, useEffect } from 'react';
import { followScrollbarWidth } from './scrollbar-width.ts';

/**
 * Renders once around the console: turns off style elements at run time (the Content-Security-Policy refuses them), and
 * follows the scrollbar's width. <Floating> stands beside it.
 */
export function UiProvider({ children }: { children: ReactNode }) {
  useEffect(followScrollbarWidth, []);
  return <CSPProvider disableStyleElements>{children}</CSPProvider>;
}
