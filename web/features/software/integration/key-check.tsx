import { useState } from 'react';
import type { Refusal } from '../../../../contract/licenses/license-state.ts';
import type { Integration } from '../../../../contract/programs/integration.ts';
import type { LicenseClaims } from '../../../../contract/programs/license-token.ts';
import { FeatureFacts } from '../../../components/license/feature-facts.tsx';
import { LicenseLink } from '../../../components/record/record-links.tsx';
import { usePlainForm } from '../../../components/record/use-plain-form.ts';
import { keyCheckTexts as texts, VERDICT_TEXTS } from '../../../text/es-integration.ts';
import { formatDate, formatDateTime } from '../../../text/format.ts';
import { Banner, Failure } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Code } from '../../../ui/code.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { type CheckedKey, checkKey } from './integration.api.ts';

/** 'Probar una clave': the answer that a program of this software would get for a key now (PROG-08). */
export function KeyCheck({ integration }: { integration: Integration }) {
  const [checked, setChecked] = useState<CheckedKey | null>(null);
  const { field, error, form, busy, failure } = usePlainForm({
    blank: { license_key: '', machine_id: texts.anyMachine },
    check: ({ license_key, machine_id }) => ({
      license_key: license_key.trim() === '' ? texts.keyMissing : undefined,
      machine_id: machine_id.trim() === '' ? texts.machineMissing : undefined,
    }),
    send: async (values) => setChecked(await checkKey(integration, values)),
  });
  return (
    <div className="space-y-4">
      <p className="text-muted">{texts.lead}</p>
      <form {...form} aria-label={texts.title} className="space-y-4">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label={texts.key} required error={error('license_key')}>
            <TextInput
              {...field('license_key')}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="font-mono"
            />
          </Field>
          <Field label={texts.machine} required error={error('machine_id')} help={texts.machineHelp}>
            <TextInput {...field('machine_id')} autoComplete="off" autoCapitalize="none" spellCheck={false} />
          </Field>
        </div>
        <Button type="submit" busy={busy} busyLabel={texts.checking}>
          {texts.check}
        </Button>
      </form>
      <Failure text={failure} />
      <div role="status" aria-label={texts.outcome} className="space-y-4">
        {checked && failure === null && <Outcome {...checked} integration={integration} />}
      </div>
    </div>
  );
}

/** The colour for a reason. With 'not_activated' the program only needs to take a seat, so that is no error. */
const toneOf = (reason: Refusal | null) =>
  reason === null || reason === 'not_activated' ? 'success' : 'critical';

function Outcome({ answer, reading, integration }: CheckedKey & { integration: Integration }) {
  if (reading !== null && 'fault' in reading) {
    const { stale, other } = texts.unbelievedText;
    return (
      <Banner tone="critical" title={texts.unbelieved}>
        {reading.fault === 'unknown_key' ? stale : other}
      </Banner>
    );
  }
  const reason = reading === null ? answer.reason : reading.claims.reason;
  const { title, text } = VERDICT_TEXTS[reason ?? 'valid'];
  const { license } = answer;
  return (
    <>
      {reading === null && <Banner tone="warning">{texts.insecure}</Banner>}
      <Banner tone={toneOf(reason)} title={title}>
        {text}
        {license && reason === 'not_activated' && (
          <> {texts.seatsLeft(license.remaining_installations, license.max_installations)}</>
        )}
        {answer.grace_until !== undefined && <> {texts.graceUntil(formatDate(answer.grace_until))}</>}
      </Banner>
      {reading !== null && (
        <Received
          claims={reading.claims}
          kid={reading.kid}
          licenseKey={license?.license_key}
          {...integration}
        />
      )}
    </>
  );
}

interface ReceivedProps {
  claims: LicenseClaims;
  kid: string;
  licenseKey: string | undefined;
  keys: Integration['keys'];
}

/** The claims of the signed answer that are useful for a program. */
function Received({ claims, kid, licenseKey, keys }: ReceivedProps) {
  const isNext = keys.some(({ state, public_jwk }) => state === 'next' && public_jwk.kid === kid);
  return (
    <>
      <Facts>
        {claims.sub !== null && licenseKey !== undefined && (
          <Fact label={texts.license} wide>
            <LicenseLink id={Number(claims.sub)} licenseKey={licenseKey} />
          </Fact>
        )}
        {claims.reason !== null && (
          <Fact label={texts.reason}>
            <Code>{claims.reason}</Code>
          </Fact>
        )}
        {claims.valid && (
          <Fact label={texts.until}>{formatDateTime(new Date(claims.exp * 1000).toISOString())}</Fact>
        )}
        {claims.sub !== null && (
          <Fact label={texts.ends}>
            {claims.license_expires === null ? texts.noEnd : formatDate(claims.license_expires)}
          </Fact>
        )}
        <Fact label={texts.signature}>{texts.signed(isNext)}</Fact>
        {claims.features !== null && (
          <Fact label={texts.features} wide>
            <FeatureFacts features={claims.features} />
          </Fact>
        )}
      </Facts>
      <details>
        <summary className="w-fit font-medium text-brand-text">{texts.answer}</summary>
        <Code boxed className="mt-3 text-xs break-all whitespace-pre-wrap">
          {JSON.stringify(claims, null, 2)}
        </Code>
      </details>
    </>
  );
}
