import type { ReactNode } from 'react';
import type { LicensesSearch } from '../../../components/license/licenses-search.ts';
import { Link } from '../../../navigation/link.tsx';
import { PATHS } from '../../../paths.ts';
import { formatNumber } from '../../../text/format.ts';

interface FiguresProps {
  /** True for four counts, which are short enough for one line. */
  counts?: boolean;
  /** True for amounts, which need a line of their own on the narrowest phones. */
  amounts?: boolean;
  children: ReactNode;
}

/** The figures of a section: labels and values side by side. */
export const Figures = ({ counts = false, amounts = false, children }: FiguresProps) => (
  <dl className="report-figures" data-counts={counts || undefined} data-amounts={amounts || undefined}>
    {children}
  </dl>
);

interface FigureProps {
  label: string;
  value: string;
  /** The filters of the list with these licences; absent if no list shows exactly these. */
  behind?: LicensesSearch | undefined;
  hint?: ReactNode;
}

/** A figure. It links to the list of its records (`behind`), unless it is 0. */
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
  /** The accessible name, which contains the visible text. */
  label?: string;
  children: ReactNode;
}

/** A link to the licences of a figure. */
export const LicensesLink = ({ behind, label, children }: LicensesLinkProps) => (
  <Link to={PATHS.licenses} search={behind} preload={false} aria-label={label} className="report-link">
    {children}
  </Link>
);
