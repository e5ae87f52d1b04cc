import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { SigningKey, SigningKeyState } from '../../../contract/programs/license-token.ts';
import { PublicKey } from '../../components/license/public-key.tsx';
import { ActionQuestion } from '../../components/record/action-question.tsx';
import { DateTime } from '../../components/record/date-time.tsx';
import { RecordState } from '../../components/record/record-state.tsx';
import { Offered } from '../../components/screen/offered.tsx';
import { SIGNING_STATE_LABELS, signingTexts as texts } from '../../text/es-signing.ts';
import { formatDate } from '../../text/format.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Code } from '../../ui/code.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { toasts } from '../../ui/toasts.ts';
import { signingKeysQuery, useRotateSigningKey } from './signing.api.ts';

const TONES: Record<SigningKeyState, BadgeTone> = { current: 'success', next: 'info', retired: 'neutral' };
const ORDER: readonly SigningKeyState[] = ['current', 'next', 'retired'];

/** Programs that were published less than this time before a rotation probably do not contain the next key. */
const YOUNG_MS = 30 * 24 * 60 * 60 * 1000;

/** /settings/firma: the keys that sign answers to programs, with their public halves to copy (PROG-01). */
export function SigningSection() {
  const keys = useQuery(signingKeysQuery);
  const [asked, setAsked] = useState(false);
  return (
    <RecordState query={keys} texts={texts}>
      {(found) => (
        <div className="space-y-5">
          <Card>
            <div className="flex flex-wrap items-start gap-4">
              <p className="min-w-60 flex-1 text-muted">{texts.lead}</p>
              <Offered what="signing.rotate">
                <Button icon={RefreshCw} onClick={() => setAsked(true)}>
                  {texts.rotate}
                </Button>
              </Offered>
            </div>
          </Card>
          {ORDER.flatMap((state) => found.filter((key) => key.state === state)).map((key) => (
            <KeyCard key={key.kid} signingKey={key} />
          ))}
          {asked && <RotateQuestion keys={found} onClose={() => setAsked(false)} />}
        </div>
      )}
    </RecordState>
  );
}

function KeyCard({ signingKey: key }: { signingKey: SigningKey }) {
  const headingId = `clave-${key.kid}`;
  return (
    <Card>
      <section aria-labelledby={headingId} className="space-y-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 id={headingId}>
            <Badge tone={TONES[key.state]}>{SIGNING_STATE_LABELS[key.state]}</Badge>
          </h3>
          <p className="text-muted">{texts.what[key.state]}</p>
        </div>
        <Facts>
          <Fact label={texts.id} wide>
            <Copyable text={key.kid} label={texts.copyId(key.kid)}>
              <Code>{key.kid}</Code>
            </Copyable>
          </Fact>
          <Fact label={texts.created}>
            <DateTime value={key.created_at} />
          </Fact>
          {key.current_since !== null && key.retired_at === null && (
            <Fact label={texts.currentSince}>
              <DateTime value={key.current_since} />
            </Fact>
          )}
          {key.kept_until !== null && (
            <Fact label={texts.keptUntil}>
              <DateTime value={key.kept_until} />
            </Fact>
          )}
        </Facts>
        <PublicKey pem={key.public_pem} jwk={key.public_jwk} />
      </section>
    </Card>
  );
}

/** The confirmation before a key is rotated, with the consequences for published programs. */
function RotateQuestion({ keys, onClose }: { keys: readonly SigningKey[]; onClose: () => void }) {
  const rotate = useRotateSigningKey();
  const current = keys.find(({ state }) => state === 'current');
  const next = keys.find(({ state }) => state === 'next');
  const isYoung = next !== undefined && Date.now() - Date.parse(next.created_at) < YOUNG_MS;
  return (
    <ActionQuestion
      title={texts.rotateTitle}
      text={isYoung ? `${texts.rotateText} ${texts.young(formatDate(next.created_at))}` : texts.rotateText}
      confirmLabel={texts.rotate}
      busyLabel={texts.rotating}
      tone="neutral"
      run={async () => {
        await rotate.mutateAsync(current?.kid ?? '');
        toasts.success(texts.rotated);
      }}
      failed={texts.rotateFailed}
      onClose={onClose}
    />
  );
}
