import type { ReactNode } from 'react';
import type { WorkingKey } from '../../../contract/people/api-keys.ts';
import { workingKeysTexts as texts } from '../../text/es-account.ts';
import { Banner } from '../../ui/banner.tsx';
import { Code } from '../../ui/code.tsx';

interface WorkingKeysProps {
  keys: readonly WorkingKey[];
  /** Whose keys these are, and what to do about an unknown one. */
  children: ReactNode;
  announce?: 'status' | 'none';
}

/**
 * The API keys that stay valid after a password change. A thief may have created one. Renders nothing if there are
 * none.
 */
export const WorkingKeys = ({ keys, children, announce = 'none' }: WorkingKeysProps) =>
  keys.length > 0 && (
    <Banner tone="warning" title={texts.title} announce={announce}>
      <ul aria-label={texts.title} className="my-2 space-y-1">
        {keys.map(({ id, name, last_four }) => (
          <li key={id} className="wrap-anywhere">
            {name} <Code>{`…${last_four}`}</Code>
          </li>
        ))}
      </ul>
      {children}
    </Banner>
  );
