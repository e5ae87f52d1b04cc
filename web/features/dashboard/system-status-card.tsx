import { useQuery } from '@tanstack/react-query';
import { Database, KeyRound, type LucideIcon, Mail } from 'lucide-react';
import { useMailIsStored } from '../../api/email-transport.ts';
import { type SystemState, systemStateQuery } from '../../api/health-api.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { dashboardTexts, systemWords } from './dashboard-texts.ts';

const PARTS: readonly { part: keyof SystemState; label: string; icon: LucideIcon }[] = [
  { part: 'database', label: dashboardTexts.database, icon: Database },
  { part: 'api', label: dashboardTexts.api, icon: KeyRound },
  { part: 'email', label: dashboardTexts.email, icon: Mail },
];

/**
 * 'Conectada', 'Operativa', 'Activo' are shown from the start and in every normal state. A word changes only if the
 * server answers and reports a failure (SEED-2.5-08, SEED-2.5-09, D016).
 */
export function SystemStatusCard() {
  const { data } = useQuery(systemStateQuery);
  const isStored = useMailIsStored();
  return (
    <Card title={dashboardTexts.systemStatus}>
      <ul className="-my-2 divide-y divide-border">
        {PARTS.map(({ part, label, icon: Icon }) => {
          const failed = data?.[part] === false;
          // 'Activo' stays, as specified; that nobody receives a mail stands beside it, in the colour of a warning.
          const isSilent = part === 'email' && isStored;
          return (
            <li key={part} className="flex items-center gap-3 py-2.5">
              <Icon aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1">
                <span className="block truncate">{label}</span>
                {isSilent && <span className="block text-xs text-warning-text">{outboxTexts.title}</span>}
              </span>
              <Badge tone={failed ? 'danger' : isSilent ? 'warning' : 'success'}>
                {failed ? systemWords[part].failed : systemWords[part].working}
              </Badge>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
