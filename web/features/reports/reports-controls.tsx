import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Currency } from '../../../contract/base/money.ts';
import { softwareOptionsQuery } from '../../components/record/catalogue-queries.ts';
import { choicesOf } from '../../components/record/choices.ts';
import { softwareOption } from '../../text/es-lists.ts';
import { formatsInUse } from '../../text/format.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { DateInput } from '../../ui/text-input.tsx';
import { type DayRange, DEFAULT_PERIOD, MONTHS_MAX, monthsOf, periodOf } from './period.ts';
import { type ReportFilters, reportQuery } from './reports.api.ts';
import type { ReportsSearch } from './reports-search.ts';
import { PERIOD_LABELS, reportTexts as texts } from './reports-texts.ts';

interface ReportsControlsProps {
  search: ReportsSearch;
  filters: ReportFilters;
  /** Shows the reports of other filters. Each change adds an entry to the history. */
  onChange: (search: ReportsSearch) => void;
}

/** 'Periodo', 'Software' and 'Moneda'. Their values are stored in the address (REPORT-01). */
export function ReportsControls({ search, filters, onChange }: ReportsControlsProps) {
  const { data: software = [] } = useQuery(softwareOptionsQuery);
  const currencies = useCurrencies(filters);
  const period = periodOf(search);
  const change = (changes: ReportsSearch) => onChange({ ...search, ...changes });
  const choosePeriod = (chosen: string) => {
    const word = choicesOf(PERIOD_LABELS).find((key) => key === chosen);
    if (word === 'own') change({ period: undefined, from: filters.from, to: filters.to });
    else change({ period: word === DEFAULT_PERIOD ? undefined : word, from: undefined, to: undefined });
  };
  return (
    <search
      aria-label={texts.controls}
      data-print="hidden"
      className="flex flex-wrap items-start gap-x-3 gap-y-3 max-sm:*:w-full"
    >
      <Field label={texts.period}>
        <Select
          value={period}
          onChange={({ target }) => choosePeriod(target.value)}
          choices={Object.entries(PERIOD_LABELS)}
        />
      </Field>
      {period === 'own' && (
        // The key resets the typed days when the days of the address change.
        <OwnDays key={`${search.from} ${search.to}`} range={filters} onChange={change} />
      )}
      <Field label={texts.software} className="max-w-full">
        <Select
          value={search.software ?? ''}
          onChange={({ target }) => change({ software: Number(target.value) || undefined })}
          none={texts.allSoftware}
          choices={software.map(({ id, name, version }) => [id, softwareOption(name, version)])}
        />
      </Field>
      {currencies.length > 1 && (
        <Field label={texts.currency}>
          <Select
            value={search.currency ?? ''}
            onChange={({ target }) =>
              change({ currency: currencies.find((currency) => currency === target.value) })
            }
            none={texts.allCurrencies}
            choices={currencies.map((currency) => [currency, currency])}
          />
        </Field>
      )}
    </search>
  );
}

/**
 * The currencies in the reports, the vendor's first, plus the one in the address. If there is only one, the select is
 * hidden.
 */
function useCurrencies(filters: ReportFilters): Currency[] {
  const all = { ...filters, currency: undefined };
  const { data: revenue } = useQuery(reportQuery('revenue', all));
  const { data: licenses } = useQuery(reportQuery('licenses', all));
  const found = [...(revenue?.totals ?? []), ...(licenses?.totals ?? [])].map(({ currency }) => currency);
  const chosen = filters.currency === undefined ? [] : [filters.currency];
  return [...new Set([formatsInUse().currency, ...found, ...chosen])];
}

/** The first and last day of a period. They are applied once they form a period that the server accepts. */
function OwnDays({ range, onChange }: { range: DayRange; onChange: (range: DayRange) => void }) {
  const [typed, setTyped] = useState<DayRange>({ from: range.from, to: range.to });
  const wrong = faultOf(typed);
  const type = (changes: Partial<DayRange>) => {
    const next = { ...typed, ...changes };
    setTyped(next);
    const isWhole = next.from > EARLIEST && next.to > EARLIEST;
    if (isWhole && faultOf(next) === undefined) onChange(next);
  };
  return (
    <>
      <Field label={texts.from}>
        <DateInput value={typed.from} onChange={({ target }) => type({ from: target.value })} />
      </Field>
      <Field label={texts.to} error={wrong}>
        <DateInput value={typed.to} onChange={({ target }) => type({ to: target.value })} />
      </Field>
    </>
  );
}

/** Earlier days are not applied. While a year is typed digit by digit, it is 0002, then 0020. */
const EARLIEST = '2000-01-01';

function faultOf({ from, to }: DayRange): string | undefined {
  if (from < EARLIEST || to < EARLIEST) return undefined;
  if (to < from) return texts.backwards;
  return monthsOf({ from, to }) > MONTHS_MAX ? texts.tooLong(MONTHS_MAX) : undefined;
}
