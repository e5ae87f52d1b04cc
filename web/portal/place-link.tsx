import type { ComponentProps, MouseEvent } from 'react';
import { addressOf, go, type Place } from './address.ts';

/** A link within the portal. With a modifier key or another mouse button the browser opens it like any other link. */
export function PlaceLink({ to, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { to: Place }) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    go(to);
  };
  return <a {...rest} href={addressOf(to)} onClick={follow} />;
}
