import { type ComponentProps, createElement } from 'react';

/** An icon as the package of icons holds it. */
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
 * Makes the component of an icon. The build uses it in place of the package's own function of this name
 * (tools/icon-imports.ts), which makes two components and several objects each time it draws one: a list of 50 rows
 * has 300 icons. The size is a class.
 */
export default function createLucideIcon({ node }: IconData) {
  // The same elements for every icon: React does not look into them again.
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return function Icon(props: ComponentProps<'svg'>) {
    return createElement('svg', { ...LOOK, ...props }, shapes);
  };
}
