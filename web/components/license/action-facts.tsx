import { lifecycleTexts as texts } from '../../text/es-license-action.ts';

/** The licence's state after an action. */
export const ActionFacts = ({ facts }: { facts: [label: string, value: string][] }) => (
  <dl aria-label={texts.summary} className="flex flex-wrap gap-x-6 gap-y-1">
    {facts.map(([label, value]) => (
      <div key={label} className="min-w-0">
        <dt className="text-xs text-muted">{label}</dt>
        <dd className="font-medium">{value}</dd>
      </div>
    ))}
  </dl>
);
