import { type ComponentProps, type MouseEvent, useEffect, useRef } from 'react';
import { type AnyTarget, addressOf, hrefOf, type Path, type SearchOf, type Target } from './addresses.ts';
import { usePlace } from './hooks.ts';
import { fetchAddress, navigate, type Place } from './navigation.ts';

/** A pointer that only passes over a link fetches nothing. */
const REST_MS = 50;

/** A target as a list of links holds it. */
type PathAlone = Exclude<Path, `${string}$${string}`>;
export type LinkTarget = { [At in PathAlone]: { to: At; search?: SearchOf<At> } }[PathAlone];

type AnchorProps = Omit<ComponentProps<'a'>, 'href'>;

type LinkProps<To extends string> = Target<To> &
  AnchorProps & {
    /** Fetches code and data once the link is pointed at or focused. Default: yes. */
    preload?: false;
  };

/**
 * A link to an address of the console. It is marked as the current page when the address is at or below it and has its
 * search parameters.
 */
export function Link<To extends string>(props: LinkProps<To>) {
  const { to, search, params, state, replace, preload, onClick, ...anchor } = props as LinkProps<string>;
  const target: AnyTarget = { to, search, params, state, replace };
  const link = usePlace((place) => readLink(target, place));
  const href = link.slice(1);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const fetchNow = () => fetchAddress(target);
  const fetchSoon = () => {
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined;
      fetchNow();
    }, REST_MS);
  };
  const leave = () => {
    clearTimeout(waiting.current);
    waiting.current = undefined;
  };
  useEffect(() => () => clearTimeout(waiting.current), []);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const opensElsewhere =
      event.metaKey || event.altKey || event.ctrlKey || event.shiftKey || event.button !== 0;
    if (event.defaultPrevented || opensElsewhere || (anchor.target && anchor.target !== '_self')) return;
    event.preventDefault();
    leave();
    void navigate(target as Target<string>);
  };
  return (
    <a
      {...(preload !== false && {
        onFocus: fetchSoon,
        onBlur: leave,
        onMouseEnter: fetchSoon,
        onMouseLeave: leave,
        onTouchStart: fetchNow,
      })}
      {...anchor}
      {...(link.startsWith('+') && { 'aria-current': 'page' })}
      href={href}
      onClick={follow}
    />
  );
}

/** The address of a link, with '+' in front when it leads to the current page, else '-': one text, cheap to compare. */
function readLink(target: AnyTarget, place: Place): string {
  const address = addressOf(target, place);
  const { path, search } = address;
  const isHere =
    (place.path === path || place.path.startsWith(`${path}/`)) &&
    Object.entries(search).every(([name, value]) => value === undefined || place.search[name] === value);
  return `${isHere ? '+' : '-'}${hrefOf(address)}`;
}
