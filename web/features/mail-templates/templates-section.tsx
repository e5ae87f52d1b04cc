import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import {
  MAIL_KIND_LABELS,
  MAIL_KINDS,
  type MailKind,
  type MailTemplate,
} from '../../../contract/mail/mails.ts';
import { RecordState } from '../../components/record/record-state.tsx';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { LoadError } from '../../components/screen/load-error.tsx';
import { useRecordTitle } from '../../components/screen/window-title.ts';
import { useParam } from '../../navigation/hooks.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { states } from '../../text/es.ts';
import { templateTexts as texts } from '../../text/es-mail.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Caret, TemplateEditor } from './template-editor.tsx';
import { templateQuery, templatesQuery } from './templates.api.ts';

/** /settings/plantillas and /settings/plantillas/{kind} (MAIL-01, MAIL-02). */
export function TemplatesSection() {
  const kind = useParam('kind');
  if (kind === undefined) return <TemplateList />;
  const known = MAIL_KINDS.find((one) => one === kind);
  return (
    <div className="space-y-4">
      <Link
        to={PATHS.mailTemplates}
        className="inline-flex min-h-6 items-center gap-1.5 rounded-sm font-medium text-brand-text hover:underline pointer-coarse:min-h-11"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {texts.back}
      </Link>
      {known ? (
        <OneTemplate key={known} kind={known} />
      ) : (
        <EmptyState icon={ArrowLeft} title={texts.record.notFound} />
      )}
    </div>
  );
}

function OneTemplate({ kind }: { kind: MailKind }) {
  const query = useQuery(templateQuery(kind));
  /** After a save or restore, a new form shows the template. */
  const [form, setForm] = useState<{ round: number; caret: Caret | null }>({ round: 0, caret: null });
  useRecordTitle(MAIL_KIND_LABELS[kind]);
  return (
    <RecordState query={query} texts={texts.record}>
      {(template) => (
        <TemplateEditor
          key={form.round}
          template={template}
          caret={form.caret}
          onStored={(caret) => setForm({ round: form.round + 1, caret })}
        />
      )}
    </RecordState>
  );
}

function TemplateList() {
  const { data, error, isFetching, refetch } = useQuery(templatesQuery);
  if (data === undefined && error !== null) {
    return (
      <LoadError
        title={texts.loadFailed}
        error={error}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  return (
    <Card padding="none">
      {data === undefined ? (
        <div role="status" className="divide-y divide-border">
          <span className="sr-only">{states.loading}</span>
          {MAIL_KINDS.map((kind) => (
            <div key={kind} className="space-y-2 px-5 py-3.5">
              <Skeleton className="h-4 w-40" />
              <Skeleton className="h-3.5 w-3/5" />
            </div>
          ))}
        </div>
      ) : (
        <ul aria-label={texts.listLabel} className="divide-y divide-border">
          {data.map((template) => (
            <li key={template.kind}>
              <TemplateLine template={template} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const TemplateLine = ({ template: { kind, label, subject, is_default, updated_at } }: TemplateLineProps) => (
  <Link
    to={PATHS.mailTemplate}
    params={{ kind }}
    className="flex items-center gap-4 px-5 py-3 -outline-offset-2 hover:bg-sunken"
  >
    <span className="min-w-0 flex-1">
      <span className="block font-medium">{label}</span>
      <span className="block truncate font-mono text-xs/5 text-muted">{subject}</span>
    </span>
    <span className="flex shrink-0 flex-col items-end gap-0.5">
      <Badge tone={is_default ? 'neutral' : 'info'} dot={!is_default}>
        {is_default ? texts.original : texts.changed}
      </Badge>
      {!is_default && <RelativeTime value={updated_at} className="text-xs text-muted" />}
    </span>
    <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
  </Link>
);

interface TemplateLineProps {
  template: MailTemplate;
}
