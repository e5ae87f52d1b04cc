import type { Meters } from '../../../contract/licenses/meters.ts';
import { meterInWords } from '../../text/es-meters.ts';
import { Code } from '../../ui/code.tsx';

/** Meters with their limits, for the details of a type. */
export const MeterFacts = ({ meters }: { meters: Meters }) => (
  <ul className="flex flex-wrap gap-x-5 gap-y-1">
    {Object.entries(meters).map(([code, meter]) => (
      <li key={code}>
        <Code>{code}</Code>: {meterInWords(meter)}
      </li>
    ))}
  </ul>
);
