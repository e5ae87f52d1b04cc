import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '../../../../contract/people/api-keys.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { codeOf, lazyComponent } from '../../../components/frame/code.tsx';
import { DialogCode } from '../../../components/frame/dialog-code.tsx';
import { RecordState } from '../../../components/record/record-state.tsx';
import { useOneAtATime } from '../../../components/record/use-one-at-a-time.ts';
import { ShownOnce } from '../../../components/settings/shown-once.tsx';
import { useNavigate, useSearch } from '../../../navigation/hooks.ts';
import { PATHS } from '../../../paths.ts';
import { onceTexts, keyTexts as texts } from '../../../text/es-people.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Code } from '../../../ui/code.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DialogPlace } from '../../../ui/dialog-place.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { keysQuery, type NewApiKey, useReplaceKey, useRevokeKey } from './keys.api.ts';
import { readKeysSearch } from './keys-search.ts';
import { KeysTable } from './keys-table.tsx';
import { LongestLife } from './longest-life.tsx';

const form = codeOf(() => import('./key-form.tsx'));
const KeyFormDialog = lazyComponent(form, (module) => module.KeyFormDialog);

const STATE_TEXTS = { loading: texts.loading, notFound: texts.empty, failed: texts.loadFailed };

/** /settings/claves: the keys of the vendor's own programs (PEOPLE-07). */
export function KeysSection() {
  const { nuevo } = useSearch(readKeysSearch);
  const navigate = useNavigate();
  const keys = useQuery(keysQuery);
  const [made, setMade] = useState<NewApiKey | null>(null);
  const [asked, setAsked] = useState<{ of: ApiKey; action: 'replace' | 'revoke' } | null>(null);
  const open = () => void navigate({ to: PATHS.apiKeys, search: { nuevo: '1' } });
  const close = () => void navigate({ to: PATHS.apiKeys, search: {}, replace: true });
  const create = (
    <Button variant="primary" icon={Plus} data-shortcut="new" onClick={open}>
      {texts.create}
    </Button>
  );
  return (
    <>
      <RecordState query={keys} texts={STATE_TEXTS}>
        {(found) => (
          <Card padding="none">
            {found.length === 0 ? (
              <EmptyState icon={KeyRound} title={texts.empty} hint={<Example />} action={create} />
            ) : (
              <>
                <div className="flex justify-end border-b border-border px-5 py-4 max-sm:*:w-full">
                  {create}
                </div>
                <KeysTable
                  rows={found}
                  onReplace={(of) => setAsked({ of, action: 'replace' })}
                  onRevoke={(of) => setAsked({ of, action: 'revoke' })}
                />
              </>
            )}
          </Card>
        )}
      </RecordState>
      <LongestLife />
      <DialogPlace open={nuevo !== undefined}>
        {nuevo !== undefined && (
          <DialogCode title={texts.createTitle} size="lg" onClose={close}>
            <KeyFormDialog onClose={close} onCreated={setMade} />
          </DialogCode>
        )}
      </DialogPlace>
      {asked && <KeyQuestion {...asked} onMade={setMade} onClose={() => setAsked(null)} />}
      {made && nuevo === undefined && (
        <ShownOnce
          title={onceTexts.keyTitle}
          lead={onceTexts.keyLead}
          label={`${onceTexts.key}: ${made.name}`}
          text={made.key}
          confirm={onceTexts.saved}
          onClose={() => setMade(null)}
        />
      )}
    </>
  );
}

/** A call that shows what a key is for. */
const Example = () => (
  <>
    {texts.emptyHint}
    <Code boxed className="mt-3 text-left text-xs break-all whitespace-pre-wrap">
      {texts.example(window.location.origin)}
    </Code>
  </>
);

interface KeyQuestionProps {
  of: ApiKey;
  action: 'replace' | 'revoke';
  onMade: (created: NewApiKey) => void;
  onClose: () => void;
}

const labelOf = ({ name, last_four }: ApiKey) => `${name} (…${last_four})`;

/** Asks before a key is replaced or revoked, and does it. */
function KeyQuestion({ of, action, onMade, onClose }: KeyQuestionProps) {
  const replace = useReplaceKey();
  const revoke = useRevokeKey();
  const isReplacement = action === 'replace';
  const [confirm, busy] = useOneAtATime(async () => {
    try {
      if (isReplacement) onMade(await replace.mutateAsync(of.id));
      else {
        await revoke.mutateAsync(of.id);
        toasts.success(texts.revokeDone, labelOf(of));
      }
    } catch (error) {
      toasts.error(isReplacement ? texts.replaceFailed : texts.revokeFailed, errorMessage(error));
    }
    onClose();
  });
  return (
    <ConfirmDialog
      open
      title={isReplacement ? texts.replaceTitle : texts.revokeTitle}
      text={isReplacement ? texts.replaceText(labelOf(of)) : texts.revokeText(labelOf(of))}
      confirmLabel={isReplacement ? texts.replace : texts.revoke}
      busyLabel={isReplacement ? texts.creating : texts.revoking}
      busy={busy}
      tone={isReplacement ? 'neutral' : 'danger'}
      onConfirm={confirm}
      onCancel={onClose}
    />
  );
}
