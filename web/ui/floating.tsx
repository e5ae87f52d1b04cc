import { ToastHost } from './toast-host.tsx';
import { TooltipLayer } from './tooltip-layer.tsx';

/**
 * The tooltip, and the toasts, which stay visible when the screen changes (D104). Render it once; no screen waits for
 * it.
 */
export function Floating() {
  return (
    <>
      <TooltipLayer />
      <ToastHost />
    </>
  );
}
