import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { TRIAL_EMAIL_LABELS } from '../../../contract/programs/trial-terms.ts';
import { SOFTWARE_LABELS as LABELS } from '../../../contract/software/software.fields.ts';
import type { Software } from '../../../contract/software/software.ts';
import { ActiveBadge } from '../../components/record/badges.tsx';
import { DetailsDialog, EditButton, Moment } from '../../components/record/details-dialog.tsx';
import { Loading } from '../../components/record/record-state.tsx';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { Offered } from '../../components/screen/offered.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { yesNo } from '../../text/es.ts';
import { softwareTexts } from '../../text/es-software.ts';
import { formatNumber } from '../../text/format.ts';
import { Code } from '../../ui/code.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { softwareItemQuery } from './software.api.ts';
import type { SoftwareTab } from './software-search.ts';

const integration = codeOf(() => import('./integration/integration-tab.tsx'));
const IntegrationTab = lazyComponent(integration, (module) => module.IntegrationTab);

interface SoftwareDetailsDialogProps {
  id: number;
  tab: SoftwareTab;
  onTab: (tab: SoftwareTab) => void;
  onEdit: () => void;
  onClose: () => void;
}

/** The dialog 'Detalles del Software': its data, and the integration into programs (SEED-2.10-08, D116, PROG-08). */
export function SoftwareDetailsDialog({ id, tab, onTab, onEdit, onClose }: SoftwareDetailsDialogProps) {
  const query = useQuery(softwareItemQuery(id));
  return (
    <DetailsDialog
      query={query}
      size="lg"
      steady
      texts={softwareTexts}
      nameOf={({ name, version }) => `${name} ${version}`}
      subject={(software) => ({
        name: `${software.name} ${software.version}`,
        state: <ActiveBadge isActive={software.is_active} />,
        actions: (
          <Offered what="software.edit">
            <EditButton onClick={onEdit} />
          </Offered>
        ),
      })}
      onClose={onClose}
    >
      {(found) => (
        <Tabs<SoftwareTab>
          label={softwareTexts.details}
          value={tab}
          onChange={onTab}
          tabs={[
            {
              key: 'resumen',
              label: softwareTexts.tabs.summary,
              content: <SoftwareFacts software={found} />,
            },
            {
              key: 'integracion',
              label: softwareTexts.tabs.integration,
              content: (
                <Suspense fallback={<Loading text={softwareTexts.record.loading} />}>
                  <IntegrationTab softwareId={found.id} />
                </Suspense>
              ),
            },
          ]}
        />
      )}
    </DetailsDialog>
  );
}

function SoftwareFacts({ software }: { software: Software }) {
  return (
    <Facts>
      <Fact label={LABELS.name}>
        <span className="font-medium">
          <bdi>{software.name}</bdi>
        </span>
      </Fact>
      <Fact label={LABELS.version}>{software.version}</Fact>
      <Fact label={LABELS.description} wide>
        {software.description ? (
          <span className="whitespace-pre-line">{software.description}</span>
        ) : (
          <span className="text-muted">{softwareTexts.noDescription}</span>
        )}
      </Fact>
      <Fact label={LABELS.is_active}>
        <ActiveBadge isActive={software.is_active} />
      </Fact>
      {software.is_public && <Fact label={LABELS.is_public}>{yesNo(true)}</Fact>}
      <Fact label={LABELS.active_licenses_count}>
        <Link
          to={PATHS.licenses}
          search={{ software: software.id }}
          aria-label={softwareTexts.seeLicenses(software.active_licenses_count ?? 0)}
          className="inline-block min-h-6 min-w-6 text-brand-text hover:underline"
        >
          {formatNumber(software.active_licenses_count ?? 0)}
        </Link>
      </Fact>
      {software.trial_type !== undefined && (
        <Fact label={LABELS.trial_type}>
          {software.trial_type === null ? (
            <span className="text-muted">{softwareTexts.noTrials}</span>
          ) : (
            <>
              <span className="block">{software.trial_type_name}</span>
              <span className="text-xs text-muted">
                {softwareTexts.trialsADay(software.trial_daily_limit)}. {LABELS.trial_email}:{' '}
                {TRIAL_EMAIL_LABELS[software.trial_email].toLowerCase()}
              </span>
            </>
          )}
        </Fact>
      )}
      <Fact label={LABELS.created_at}>
        <Moment value={software.created_at} />
      </Fact>
      <Fact label={LABELS.updated_at}>
        <Moment value={software.updated_at} />
      </Fact>
      {software.code !== undefined && (
        <Fact label={LABELS.code} wide>
          <Copyable text={software.code} label={softwareTexts.copyCode}>
            <Code>{software.code}</Code>
          </Copyable>
          <span className="block text-xs text-muted">{softwareTexts.codeHelp}</span>
        </Fact>
      )}
    </Facts>
  );
}
