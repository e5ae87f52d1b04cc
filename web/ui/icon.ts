import { type ComponentProps, createElement } from 'react';

/** The data of an icon in the icon package. */
interface IconData {
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[];
}

const LOOK = {
  xmlns: 'http://www.w3.org/2000/svg',
  width: 24,
  height: 24,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
} as const;

/**
 * Creates the component of an icon. The build replaces the package's function of the same name with this one
 * (tools/icon-imports.ts), because that creates two components and several objects at each render, and a list of 50
 * rows has 300 icons. The size is set by a class.
 */
export default function createLucideIcon({ node }: IconData) {
  // Created once for each icon: for identical elements React skips the comparison.
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return function Icon(props: ComponentProps<'svg'>) {
    return createElement('svg', { ...LOOK, ...props }, shapes);
  };
}
