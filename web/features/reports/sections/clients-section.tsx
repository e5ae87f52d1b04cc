import type { ClientsReport } from '../../../../contract/figures/reports.ts';
import { RecordLink } from '../../../components/record/record-links.tsx';
import { Offered } from '../../../components/screen/offered.tsx';
import { Link } from '../../../navigation/link.tsx';
import { PATHS } from '../../../paths.ts';
import { areMixed, countOf, formatDate, formatNumber } from '../../../text/format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { ROWS_SHOWN } from '../blank-reports.ts';
import { BarList } from '../chart/bar-list.tsx';
import { byCurrency, moneyOf } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { REPORT_LICENSES, RISK_LABELS, reportTexts, clientsReportTexts as texts } from '../reports-texts.ts';
import { tableOf } from '../table-and-chart.ts';
import { ReportSection } from './report-section.tsx';
import type { TableData } from './report-table.tsx';

/** 'Clientes': by country, those with the highest sales, and those at risk. */
export const ClientsSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="clients"
    filters={filters}
    isEmpty={({ clients }) => clients === 0}
    emptyAction={
      <Offered what="clients.create">
        <Link to={PATHS.clients} search={{ nuevo: '1' }} className={buttonClass('secondary')}>
          {reportTexts.newClient}
        </Link>
      </Offered>
    }
    tables={tablesOf}
  >
    {(report) => (
      <div className="report-lists">
        <Countries report={report} filters={filters} />
        <Top report={report} />
        <AtRisk report={report} />
      </div>
    )}
  </ReportSection>
);

const countryName = (country: string) => country || texts.noCountry;

function tablesOf(report: ClientsReport): TableData[] {
  const { by_country, top, at_risk } = report;
  const mixed = areMixed([...top, ...at_risk]);
  return [
    tableOf('clients', {
      table: 'by_country',
      caption: texts.byCountry,
      report,
      rows: by_country,
      cells: { country: ({ country }) => countryName(country) },
    }),
    ...byCurrency(top).map(([currency, rows]) =>
      tableOf('clients', { table: 'top', caption: texts.top(currency), report, rows, mixed }),
    ),
    tableOf('clients', {
      table: 'at_risk',
      caption: texts.atRisk,
      report,
      rows: at_risk,
      cells: { reason: ({ reason }) => RISK_LABELS[reason] },
      mixed,
    }),
  ];
}

function Countries({ report, filters }: { report: ClientsReport; filters: ReportFilters }) {
  const { by_country, clients } = report;
  const hidden = by_country.length - ROWS_SHOWN;
  // The list of clients cannot be filtered by software and currency, so there is no link with these filters.
  const isListed = filters.software === undefined && filters.currency === undefined;
  return (
    <BarList
      label={texts.byCountry}
      rows={by_country.slice(0, ROWS_SHOWN).map((row) => ({
        key: row.country,
        name:
          isListed && row.country !== '' ? (
            <Link
              to={PATHS.clients}
              search={{ country: row.country }}
              preload={false}
              className="rounded-sm text-brand-text underline-offset-2 hover:underline"
            >
              {row.country}
            </Link>
          ) : (
            countryName(row.country)
          ),
        value: formatNumber(row.clients),
        share: clients === 0 ? 0 : row.clients / clients,
      }))}
      rest={hidden > 0 && texts.others(hidden)}
    />
  );
}

/** The clients with the highest sales, separate for each currency. The longest bar is that of the best client. */
function Top({ report: { top } }: { report: ClientsReport }) {
  const mixed = areMixed(top);
  if (top.length === 0) return <p className="text-xs text-muted">{texts.noTop}</p>;
  return (
    <div className="space-y-5">
      {byCurrency(top).map(([currency, rows]) => (
        <BarList
          key={currency}
          label={texts.top(currency)}
          rows={rows.slice(0, ROWS_SHOWN).map(({ client, amount }) => ({
            key: client.id,
            name: (
              <RecordLink kind="clients" id={client.id}>
                {client.name}
              </RecordLink>
            ),
            value: moneyOf(currency, mixed)(amount),
            share: amount / (rows[0]?.amount || 1),
          }))}
          rest={rows.length > ROWS_SHOWN && texts.others(rows.length - ROWS_SHOWN)}
        />
      ))}
    </div>
  );
}

function AtRisk({ report: { at_risk, at_risk_clients } }: { report: ClientsReport }) {
  const mixed = areMixed(at_risk);
  const shown = at_risk.slice(0, ROWS_SHOWN);
  return (
    <div>
      <h3 className="text-xs text-muted">
        {texts.atRisk}
        {at_risk_clients > 0 && ` · ${texts.atRiskCount(at_risk_clients)}`}
      </h3>
      {shown.length === 0 && <p className="mt-2">{texts.noRisk}</p>}
      <ul className="mt-2 space-y-2">
        {shown.map(({ client, reason, ends, licenses, amount, currency }) => (
          <li key={`${client.id} ${currency}`} className="min-w-0">
            <div className="flex items-baseline justify-between gap-3">
              <RecordLink kind="clients" id={client.id} className="min-w-0 truncate">
                {client.name}
              </RecordLink>
              <span className="shrink-0 font-medium whitespace-nowrap">
                {moneyOf(currency, mixed)(amount)}
              </span>
            </div>
            <p className="text-xs/4 text-muted">
              {`${RISK_LABELS[reason]} · ${formatDate(ends)}`}
              {licenses > 1 && ` · ${countOf(licenses, REPORT_LICENSES)}`}
            </p>
          </li>
        ))}
      </ul>
      {at_risk_clients > shown.length && (
        <p className="mt-2 text-xs text-muted">{texts.others(at_risk_clients - shown.length)}</p>
      )}
    </div>
  );
}
