import { Link, type LinkOptions } from '@tanstack/react-router';

/** A link to an address of the console; it fetches code and data once it is pointed at or focused. */
export { Link };

/** A target as a list of links holds it. */
export type LinkTarget = Pick<LinkOptions, 'to' | 'search'>;
