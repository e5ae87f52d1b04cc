import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { LICENSE_MAIL_KINDS, type MailKind, type MailPreview } from '../../../contract/mail/mails.ts';
import { MASK } from '../../../contract/reading/license-keys.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { MailFrame } from '../../components/mail/mail-frame.tsx';
import { templateTexts, previewTexts as texts } from '../../text/es-mail.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { lineNamedIn, type TemplateForm } from './template-form-values.ts';
import { foreignOf, latestLicensesQuery, previewQuery } from './templates.api.ts';
import { ForeignList } from './use-foreign-question.tsx';

/** The pause in typing before the preview is updated. */
const DELAY_MS = 300;

const VIEWS = { wide: texts.wide, narrow: texts.narrow, text: texts.text } as const;
type View = keyof typeof VIEWS;
const WIDTHS = { wide: 600, narrow: 320 } as const;

/**
 * From this window width on, the preview has room for 600 pixels. In a smaller window that view would be too small to
 * read.
 */
const WIDE_ENOUGH = '(min-width: 100rem)';

interface TemplatePreviewProps {
  kind: MailKind;
  /** The typed texts. */
  texts: TemplateForm;
  onGoToLine: (line: number) => void;
}

/** The mail that a client would get with the typed texts. While these have an error, the last valid preview stays. */
export function TemplatePreview({ kind, texts: typed, onGoToLine }: TemplatePreviewProps) {
  const [view, setView] = useState<View>(() => (matchMedia(WIDE_ENOUGH).matches ? 'wide' : 'narrow'));
  const [license, setLicense] = useState<number | null>(null);
  const written = useDelayed(typed);
  const { data, error, isPlaceholderData, isPending } = useQuery(previewQuery(kind, written, license));
  const [good, setGood] = useState<MailPreview | null>(null);
  if (data !== undefined && !isPlaceholderData && data !== good) setGood(data);
  const takesLicense = LICENSE_MAIL_KINDS.some((one) => one === kind);
  return (
    <Card
      title={texts.title}
      action={<ViewSwitch view={view} onChange={setView} />}
      className="@min-[40rem]/editor:sticky @min-[40rem]/editor:top-20"
    >
      <div className="space-y-3">
        {takesLicense && <DataSelect value={license} onChange={setLicense} />}
        {error !== null && <Problem error={error} body={written.body} onGoToLine={onGoToLine} />}
        {good !== null && foreignOf(good).length > 0 && (
          <Banner tone="warning" title={templateTexts.foreignTitle} announce="status">
            <ForeignList found={foreignOf(good)} />
          </Banner>
        )}
        {good === null && isPending && error === null && (
          <p role="status" className="py-10 text-center text-muted">
            {texts.loading}
          </p>
        )}
        {good !== null && (
          <div className={cx('transition-opacity', error !== null && 'opacity-55')}>
            <p className="border-b border-border pb-2 font-semibold wrap-anywhere">{good.subject}</p>
            {good.text.includes(MASK) && <p className="mt-2 text-xs text-muted">{texts.masked}</p>}
            {view === 'text' ? (
              <pre className="mt-3 font-mono text-xs/5 whitespace-pre-wrap wrap-anywhere">{good.text}</pre>
            ) : (
              <div className="mt-3">
                <MailFrame html={good.html} title={texts.frame} width={WIDTHS[view]} />
              </div>
            )}
          </div>
        )}
      </div>
    </Card>
  );
}

/** Returns the value after a pause in its changes. */
function useDelayed(value: TemplateForm): TemplateForm {
  const [delayed, setDelayed] = useState(value);
  const { subject, body } = value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the object is new at every render, its texts are not.
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), DELAY_MS);
    return () => clearTimeout(timer);
  }, [subject, body]);
  return delayed;
}

interface ProblemProps {
  error: unknown;
  body: string;
  onGoToLine: (line: number) => void;
}

/** Why there is no preview for the typed texts. */
function Problem({ error, body, onGoToLine }: ProblemProps) {
  const wrong = error instanceof ApiError ? error.fieldErrors : {};
  const messages = Object.values(wrong).flat();
  const line = lineNamedIn(wrong.body?.[0], body);
  if (messages.length === 0) {
    return (
      <Banner tone="warning" title={texts.failed}>
        {errorMessage(error)}
      </Banner>
    );
  }
  return (
    <Banner tone="warning" title={texts.stale}>
      {messages.join(' ')}
      {line !== null && (
        <>
          {' '}
          <TextButton onClick={() => onGoToLine(line)}>{texts.goTo(line)}</TextButton>
        </>
      )}
    </Banner>
  );
}

/** Radio buttons styled as a switch. */
const ViewSwitch = ({ view, onChange }: { view: View; onChange: (view: View) => void }) => (
  <fieldset className="flex shrink-0 rounded-lg border border-border bg-sunken p-0.5">
    <legend className="sr-only">{texts.views}</legend>
    {(Object.keys(VIEWS) as View[]).map((one) => (
      <label
        key={one}
        className="flex h-7 cursor-pointer items-center rounded-md px-2 text-xs font-medium text-muted has-checked:bg-surface has-checked:text-text has-checked:shadow-edge has-focus-visible:outline-2 has-focus-visible:outline-brand-text pointer-coarse:h-10 pointer-coarse:px-3"
      >
        <input
          type="radio"
          name="vista"
          className="sr-only"
          checked={one === view}
          onChange={() => onChange(one)}
        />
        {VIEWS[one]}
      </label>
    ))}
  </fieldset>
);

interface DataSelectProps {
  value: number | null;
  onChange: (license: number | null) => void;
}

/** The data for the preview: samples, or one of the latest licences. */
function DataSelect({ value, onChange }: DataSelectProps) {
  const { data: licenses = [] } = useQuery(latestLicensesQuery);
  return (
    <Field label={texts.data} labelHidden>
      <Select
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
        none={texts.sample}
        choices={licenses.map(({ id, client_name, software_name }) => [
          id,
          `${client_name} · ${software_name}`,
        ])}
      />
    </Field>
  );
}
