import type { Features } from '../../../contract/licenses/features.ts';
import { featureInWords, featureTexts } from '../../text/es-sales-options.ts';
import { Code } from '../../ui/code.tsx';

/**
 * Features with their values, in the details of a type or a licence. A server that implements only the specification
 * sends none.
 */
export function FeatureFacts({ features = {} }: { features: Features | undefined }) {
  const entries = Object.entries(features);
  if (entries.length === 0) return <span className="text-muted">{featureTexts.none}</span>;
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1">
      {entries.map(([code, value]) => (
        <li key={code}>
          <Code>{code}</Code>: {featureInWords(value)}
        </li>
      ))}
    </ul>
  );
}
