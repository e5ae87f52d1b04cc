import { Link, type LinkOptions } from '@tanstack/react-router';

/** A link to an address of the console. It prefetches code and data when it gets the pointer or the focus. */
export { Link };

/** The target of a link in a list of links. */
export type LinkTarget = Pick<LinkOptions, 'to' | 'search'>;
