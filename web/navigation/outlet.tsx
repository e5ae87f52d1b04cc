import { type ComponentType, createContext, memo, useContext, useLayoutEffect, useMemo } from 'react';
import { CatchBoundary } from '../ui/catch-boundary.tsx';
import { usePlace } from './hooks.ts';
import { currentPlace, placeIsDrawn } from './navigation.ts';
import { restoreScroll } from './scroll.ts';

interface Level {
  depth: number;
  /** In place of a component that failed. */
  onError: ComponentType<{ error: Error }>;
}

const LevelContext = createContext<Level | null>(null);

interface ScreensProps {
  onError: ComponentType<{ error: Error }>;
  /** Called after each new place is drawn. */
  onDrawn: () => void;
}

/** Draws what stands at the current address, from its outermost component on. Render it once. */
export function Screens({ onError, onDrawn }: ScreensProps) {
  const place = usePlace((now) => now);
  useLayoutEffect(() => {
    if (place !== currentPlace()) return;
    restoreScroll();
    onDrawn();
    placeIsDrawn();
  }, [place, onDrawn]);
  const outermost = useMemo(() => ({ depth: 0, onError }), [onError]);
  return (
    <LevelContext value={outermost}>
      <Outlet />
    </LevelContext>
  );
}

/** The next inner component of the address; nothing when there is none. A step within it does not draw it again. */
export const Outlet = memo(function Outlet() {
  const level = useContext(LevelContext);
  if (level === null) throw new Error('an Outlet stands outside of <Screens>');
  const { depth, onError } = level;
  const shown = usePlace(({ route }) => route?.components[depth]);
  const address = usePlace(({ href }) => href);
  const inner = useMemo(() => ({ depth: depth + 1, onError }), [depth, onError]);
  const Component = shown?.[1];
  const element = useMemo(() => Component && <Component />, [Component]);
  if (shown === undefined) return null;
  return (
    <CatchBoundary key={shown[0]} resetKey={address} fallback={onError}>
      <LevelContext value={inner}>{element}</LevelContext>
    </CatchBoundary>
  );
});
