import { useQuery } from '@tanstack/react-query';
import { ListFilter, ScrollText } from 'lucide-react';
import { useRef, useState } from 'react';
import { EventHistory } from '../../components/history/event-history.tsx';
import { auditQuery, EVENTS_PATH } from '../../components/history/history.api.ts';
import { ExportButton } from '../../components/list/export-button.tsx';
import { type Chip, chipsOf, FilterChips } from '../../components/list/filter-chips.tsx';
import type { Step } from '../../components/list/use-applied.ts';
import { clientNameQuery, softwareOptionsQuery } from '../../components/record/catalogue-queries.ts';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { DialogCode } from '../../components/screen/dialog-code.tsx';
import { useNavigate, useSearch } from '../../navigation/hooks.ts';
import { filters as filterWords } from '../../text/es.ts';
import { AUDIT_FILTER_NAMES, auditTexts, EVENT_TYPE_LABELS } from '../../text/es-audit.ts';
import { ACTOR_KIND_LABELS } from '../../text/es-events.ts';
import { softwareOption } from '../../text/es-lists.ts';
import { formatDate } from '../../text/format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { filtersOf, licenseNameQuery, peopleQuery, typesIn } from './audit.api.ts';
import { type AuditSearch, readAuditSearch } from './audit-search.ts';

const filtersCode = codeOf(() => import('./audit-filters.tsx'));
const AuditFilters = lazyComponent(filtersCode, (module) => module.AuditFilters);

/** 'Auditoría': all events that match the filters of the address (EVENT-08). */
export function AuditSection() {
  const search = useSearch(readAuditSearch);
  const navigate = useNavigate();
  const [filtering, setFiltering] = useState(false);
  const filtersRef = useRef<HTMLButtonElement>(null);
  const show = (requested: AuditSearch, step?: Step) =>
    void navigate({ to: '.', search: requested, ...step });
  const chips = useAuditChips(search);
  const filters = filtersOf(search);
  const close = () => setFiltering(false);
  return (
    <Card padding="none">
      <div className="flex flex-wrap items-center gap-2 border-b border-border p-4">
        <Button
          ref={filtersRef}
          icon={ListFilter}
          onPointerEnter={() => void filtersCode.fetch().catch(() => undefined)}
          onClick={() => setFiltering(true)}
        >
          {auditTexts.filters}
        </Button>
        <span className="ml-auto">
          <ExportButton
            path={`${EVENTS_PATH}export/`}
            query={filters}
            failure={auditTexts.exportFailed}
            fileName={auditTexts.fileName}
            onlyCsv
          />
        </span>
        <FilterChips
          chips={chips}
          onRemove={(key) => show({ ...search, [key]: undefined })}
          onClear={() => show({})}
        />
      </div>
      <div className="p-4 sm:p-5">
        <EventHistory
          query={auditQuery(filters)}
          of={null}
          failed={auditTexts.failed}
          empty={
            <EmptyState
              icon={ScrollText}
              title={auditTexts.empty}
              hint={auditTexts.emptyHint}
              action={<Button onClick={() => show({})}>{filterWords.clear}</Button>}
            />
          }
        />
      </div>
      <DialogPlace open={filtering}>
        {filtering && (
          <DialogCode title={auditTexts.filters} size="lg" onClose={close}>
            <AuditFilters search={search} onApply={show} onClose={close} />
          </DialogCode>
        )}
      </DialogPlace>
    </Card>
  );
}

/** The active filters as texts. The name of a record appears once it is loaded. */
function useAuditChips(search: AuditSearch): Chip[] {
  const { client, license, software, user } = search;
  const { data: people } = useQuery({ ...peopleQuery, enabled: user !== undefined });
  const { data: programs } = useQuery({ ...softwareOptionsQuery, enabled: software !== undefined });
  const { data: ofClient } = useQuery({ ...clientNameQuery(client ?? 0), enabled: client !== undefined });
  const { data: ofLicense } = useQuery({ ...licenseNameQuery(license ?? 0), enabled: license !== undefined });
  const program = programs?.find(({ id }) => id === software);
  const types = typesIn(search);
  const known = (id: number | undefined, name: string | undefined) =>
    id === undefined ? undefined : (name ?? String(id));
  return chipsOf(AUDIT_FILTER_NAMES, {
    type: types.length === 0 ? undefined : types.map((type) => EVENT_TYPE_LABELS[type]).join(', '),
    actor_kind: search.actor_kind && ACTOR_KIND_LABELS[search.actor_kind],
    user:
      user === undefined
        ? undefined
        : (people?.find(({ id }) => id === user)?.name ?? auditTexts.unknownUser(user)),
    client: known(client, ofClient?.name),
    license: known(license, ofLicense?.license_key),
    software: known(software, program && softwareOption(program.name, program.version)),
    from: search.from && formatDate(search.from),
    to: search.to && formatDate(search.to),
  });
}
