import type { ReactNode } from 'react';
import type { LicensesSearch } from '../../../components/license/licenses-search.ts';
import { Link } from '../../../navigation/link.tsx';
import { PATHS } from '../../../paths.ts';
import { formatNumber } from '../../../text/format.ts';

interface FiguresProps {
  /** Four counts, which are short, stand in one line. */
  counts?: boolean;
  children: ReactNode;
}

/** The figures of a section: names and values, side by side. */
export const Figures = ({ counts = false, children }: FiguresProps) => (
  <dl className="report-figures" data-counts={counts || undefined}>
    {children}
  </dl>
);

interface FigureProps {
  label: string;
  value: string;
  /** The licences behind it; none where no list has exactly these. */
  behind?: LicensesSearch | undefined;
  hint?: ReactNode;
}

/** One figure. It links to the list of its records (`behind`), unless it is 0. */
export const Figure = ({ label, value, behind, hint }: FigureProps) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{label}</dt>
    <dd>
      <span className="block text-xl font-semibold tracking-tight wrap-anywhere">
        {behind && value !== formatNumber(0) ? (
          <LicensesLink behind={behind} label={`${label}: ${value}`}>
            {value}
          </LicensesLink>
        ) : (
          value
        )}
      </span>
      <span className="block text-xs text-muted">{hint}</span>
    </dd>
  </div>
);

interface CountProps {
  value: number;
  behind: LicensesSearch;
}

/** A count in a table. It links to the list of its records, unless it is 0. */
export const Count = ({ value, behind }: CountProps) =>
  value === 0 ? formatNumber(0) : <LicensesLink behind={behind}>{formatNumber(value)}</LicensesLink>;

interface LicensesLinkProps {
  behind: LicensesSearch;
  /** Its accessible name, which contains what it shows. */
  label?: string;
  children: ReactNode;
}

/** A link to the licences behind a figure. */
export const LicensesLink = ({ behind, label, children }: LicensesLinkProps) => (
  <Link to={PATHS.licenses} search={behind} preload={false} aria-label={label} className="report-link">
    {children}
  </Link>
);
