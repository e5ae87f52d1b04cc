import { StoredAtOnce } from '../../../components/settings/stored-at-once.tsx';
import { longestLifeTexts as texts } from '../../../text/es-people.ts';

/** In days. If the API stored another value, it is added as a choice. */
const CHOICES = [7, 30, 60, 90, 180, 365, 730] as const;

/** The longest validity of a new API key (PEOPLE-07). Saving it requires the password. */
export const LongestLife = () => (
  <StoredAtOnce
    texts={texts}
    choices={({ api_key_days_max: stored }) => [
      ['', texts.none],
      ...[...new Set([...CHOICES, ...(stored === null ? [] : [stored])])]
        .sort((a, b) => a - b)
        .map((days) => [String(days), texts.days(days)] as const),
    ]}
    chosen={({ api_key_days_max: days }) => String(days ?? '')}
    update={(value) => ({ api_key_days_max: value === '' ? null : Number(value) })}
  />
);
