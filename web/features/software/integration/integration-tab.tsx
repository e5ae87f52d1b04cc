import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { Integration } from '../../../../contract/programs/integration.ts';
import { programCode } from '../../../../contract/programs/program-code.ts';
import { isLanguage, type LanguageName } from '../../../../contract/programs/sdk-languages.ts';
import { PublicKey } from '../../../components/license/public-key.tsx';
import { RecordState } from '../../../components/record/record-state.tsx';
import { keyCheckTexts, integrationTexts as texts } from '../../../text/es-integration.ts';
import { SIGNING_STATE_LABELS, signingTexts } from '../../../text/es-signing.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import { Code } from '../../../ui/code.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { DialogSection } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { DeveloperKit } from './developer-kit.tsx';
import { integrationQuery } from './integration.api.ts';
import { KeyCheck } from './key-check.tsx';
import { LANGUAGES } from './languages.ts';
import { useLanguage } from './use-language.ts';

/**
 * 'Integración' for developers of this software: the developer kit, the code to protect a program, the public keys,
 * and a form to check a licence key (PROG-08).
 */
export function IntegrationTab({ softwareId }: { softwareId: number }) {
  const query = useQuery(integrationQuery(softwareId));
  const [language, setLanguage] = useLanguage();
  return (
    <RecordState query={query} texts={texts.record}>
      {(integration) => (
        <div className="flex flex-col gap-6">
          <Field label={texts.language}>
            <Select
              value={language}
              onChange={({ target }) => isLanguage(target.value) && setLanguage(target.value)}
              choices={Object.entries(LANGUAGES).map(([key, { label }]) => [key, label])}
            />
          </Field>
          <DeveloperKit softwareId={softwareId} language={language} />
          <p className="text-muted">{texts.lead}</p>
          <ProgramCode integration={integration} name={language} />
          <DialogSection title={keyCheckTexts.title} columns={1}>
            <KeyCheck integration={integration} />
          </DialogSection>
          <DialogSection title={texts.keys} description={texts.keysHelp} columns={1}>
            {integration.keys.map((key) => (
              <Key key={key.public_jwk.kid} {...key} />
            ))}
          </DialogSection>
        </div>
      )}
    </RecordState>
  );
}

function ProgramCode({ integration, name }: { integration: Integration; name: LanguageName }) {
  const { label, url, file, second, needs, place, code: example } = LANGUAGES[name];
  const code = programCode(example, integration);
  return (
    <>
      <DialogSection title={texts.fileStep} description={texts.needs(needs, place)} columns={1}>
        <div className="flex flex-wrap gap-2">
          {[{ file, url }, ...(second ? [second] : [])].map((one) => (
            <a
              key={one.file}
              href={one.url}
              download={one.file}
              className={buttonClass('secondary', 'md', 'w-fit')}
            >
              <Download aria-hidden className="size-4 shrink-0" />
              {texts.download(one.file)}
            </a>
          ))}
        </div>
      </DialogSection>
      <DialogSection title={texts.codeStep} description={texts.codeHelp} columns={1}>
        {isLocal(integration.server) && <Banner tone="info">{texts.local}</Banner>}
        <section
          aria-label={texts.code(label)}
          // Long lines can be scrolled, also with the keyboard.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
          tabIndex={0}
          className="overflow-x-auto rounded-lg border border-border bg-sunken px-3 py-2"
        >
          <pre translate="no" className="font-mono text-xs/5">
            {code}
          </pre>
        </section>
        <div>
          <CopyButton text={code} label={texts.copyCode} copiedLabel={texts.copied} />
        </div>
      </DialogSection>
    </>
  );
}

/** True if the address is on the local computer. */
const isLocal = (server: string) => /^https?:\/\/(localhost|127\.|\[::1\])/.test(server);

function Key({ state, public_jwk, public_pem }: Integration['keys'][number]) {
  return (
    <div className="min-w-0 space-y-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={state === 'current' ? 'success' : 'info'}>{SIGNING_STATE_LABELS[state]}</Badge>
        <Copyable text={public_jwk.kid} label={signingTexts.copyId(public_jwk.kid)}>
          <Code>{public_jwk.kid}</Code>
        </Copyable>
      </div>
      <PublicKey pem={public_pem} jwk={public_jwk} />
    </div>
  );
}
