import { Fragment } from 'react';

/** A text that, if it must break, does so after the @ of an address. */
export const Breakable = ({ children }: { children: string }) =>
  children.split(/(?<=@)/).map((part, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
    <Fragment key={position}>
      {position > 0 && <wbr />}
      {part}
    </Fragment>
  ));
