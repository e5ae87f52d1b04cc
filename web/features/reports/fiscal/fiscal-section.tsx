import { useQuery } from '@tanstack/react-query';
import { CircleCheck, ListChecks, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { FiscalCheck } from '../../../../contract/figures/fiscal.ts';
import { useOffers } from '../../../api/offers.ts';
import { ExportButton } from '../../../components/list/export-button.tsx';
import { RecordLink } from '../../../components/record/record-links.tsx';
import { LoadError } from '../../../components/screen/load-error.tsx';
import { Offered } from '../../../components/screen/offered.tsx';
import { Link } from '../../../navigation/link.tsx';
import { PATHS } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import type { DayRange } from '../period.ts';
import { reportTexts } from '../reports-texts.ts';
import { FISCAL_EXPORT_PATH, fiscalCheckQuery } from './fiscal.api.ts';
import { fiscalTexts as texts } from './fiscal-texts.ts';

/**
 * 'Datos fiscales': checks the data of clients with sales in the period, and exports the sales for an invoicing
 * program (MONEY-03). The check reads all sales of the period, so it runs only when a person starts it.
 */
export function FiscalSection({ days: { from, to } }: { days: DayRange }) {
  const period = `${from} ${to}`;
  const [asked, setAsked] = useState<string | null>(null);
  const { data, error, isFetching, refetch } = useQuery({
    ...fiscalCheckQuery({ from, to }),
    enabled: asked === period,
  });
  const check = () => {
    if (asked === period) void refetch();
    else setAsked(period);
  };
  const shown = asked === period && !error ? data : undefined;
  return (
    <Card title={texts.title} subtitle={texts.subtitle} className="print:hidden">
      <div data-report="fiscal">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <span className="text-sm font-medium">{reportTexts.days(from, to)}</span>
          <span className="flex flex-wrap gap-2">
            <Button icon={ListChecks} busy={isFetching} busyLabel={texts.reviewing} onClick={check}>
              {texts.review}
            </Button>
            <Offered what="reports.export">
              <ExportButton
                label={texts.exportCsv}
                of={texts.title}
                path={FISCAL_EXPORT_PATH}
                query={{ from, to }}
                failure={texts.exportFailed}
                fileName={texts.fileName}
              />
            </Offered>
          </span>
        </div>
        <div aria-live="polite" className="mt-3 text-sm text-muted">
          {shown ? <Outcome check={shown} /> : <p>{texts.hint}</p>}
        </div>
        {shown && shown.clients.length > 0 && <Clients clients={shown.clients} />}
        {error && asked === period && (
          <LoadError title={texts.reviewFailed} error={error} onRetry={check} retrying={isFetching} />
        )}
      </div>
    </Card>
  );
}

function Outcome({ check: { terms, checked, clients, is_complete } }: { check: FiscalCheck }) {
  if (terms === 0) return <p>{texts.noSales}</p>;
  const isFine = clients.length === 0;
  const Icon = isFine ? CircleCheck : TriangleAlert;
  const outcome = !is_complete
    ? texts.more(clients.length)
    : isFine
      ? texts.fine(checked)
      : texts.wrong(clients.length, checked);
  return (
    <>
      <p className="flex items-start gap-1.5 font-medium text-text">
        <Icon
          aria-hidden
          className={`mt-0.5 size-4 shrink-0 ${isFine ? 'text-success-text' : 'text-warning-text'}`}
        />
        <span>{outcome}</span>
      </p>
      <p className="mt-0.5">{texts.lines(terms)}</p>
    </>
  );
}

/** The clients with their problems. Each name links to the client's form. */
const Clients = ({ clients }: Pick<FiscalCheck, 'clients'>) => (
  <ul aria-label={texts.caption} className="mt-3 divide-y divide-border border-y border-border text-sm">
    {clients.map(({ id, name, problems }) => (
      <li key={id} className="grid gap-x-4 gap-y-1 py-2.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <ToClient id={id} name={name} />
        <ul className="space-y-0.5 text-muted">
          {problems.map(({ field, message }) => (
            <li key={`${field} ${message}`}>{message}</li>
          ))}
        </ul>
      </li>
    ))}
  </ul>
);

/** A link to the client's form, or to the details for a person who may not edit clients. */
function ToClient({ id, name }: { id: number; name: string }) {
  const className = 'justify-self-start font-medium wrap-anywhere';
  if (!useOffers()('clients.edit')) {
    return (
      <RecordLink kind="clients" id={id} className={className}>
        {name}
      </RecordLink>
    );
  }
  return (
    <Link
      to={PATHS.clients}
      search={{ editar: id }}
      preload={false}
      className={`rounded-sm text-brand-text underline-offset-2 hover:underline ${className}`}
    >
      {name}
    </Link>
  );
}
