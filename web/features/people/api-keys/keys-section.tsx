import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '../../../../contract/people/api-keys.ts';
import { onePage } from '../../../api/list-page.ts';
import { useMay } from '../../../api/permissions.ts';
import { defineListScreen } from '../../../components/list/list-definition.ts';
import { ListScreen } from '../../../components/list/list-screen.tsx';
import { useListScreen } from '../../../components/list/use-list-screen.ts';
import { ActionQuestion } from '../../../components/record/action-question.tsx';
import { codeOf, lazyComponent } from '../../../components/screen/code.tsx';
import { ShownOnce } from '../../../components/settings/shown-once.tsx';
import { useNavigate, useSearch } from '../../../navigation/hooks.ts';
import { PATHS } from '../../../paths.ts';
import { onceTexts, keyTexts as texts } from '../../../text/es-people.ts';
import { Code } from '../../../ui/code.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { keyColumns } from './key-columns.tsx';
import { keysQuery, type NewApiKey, useReplaceKey, useRevokeKey } from './keys.api.ts';
import { type KeysSearch, readKeysSearch } from './keys-search.ts';
import { LongestLife } from './longest-life.tsx';

const form = codeOf(() => import('./key-form.tsx'));
const KeyFormDialog = lazyComponent(form, (module) => module.KeyFormDialog);

/** An example call in the empty list, which shows the use of a key. */
const Example = () => (
  <>
    {texts.emptyHint}
    <Code boxed className="mt-3 text-left text-xs break-all whitespace-pre-wrap">
      {texts.example(window.location.origin)}
    </Code>
  </>
);

const API_KEYS = defineListScreen({
  kind: 'api_keys',
  query: (_: KeysSearch) => ({ ...keysQuery, select: onePage<ApiKey> }),
  sizes: { form: 'lg' },
  texts: { ...texts, tableCaption: texts.list, emptyHint: <Example /> },
  loadFailed: texts.loadFailed,
  icon: KeyRound,
});

const labelOf = ({ name, last_four }: ApiKey) => `${name} (…${last_four})`;

/** /settings/claves: API keys for the vendor's own programs (PEOPLE-07). */
export function KeysSection() {
  const screen = useListScreen(API_KEYS, useSearch(readKeysSearch));
  const [made, setMade] = useState<NewApiKey | null>(null);
  const [replaced, setReplaced] = useState<ApiKey | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const replace = useReplaceKey();
  const revoke = useRevokeKey();
  const navigate = useNavigate();
  const mayHook = useMay()('webhooks:manage');
  // A system that calls the API usually needs webhooks too, so the dialog offers to create one.
  const toWebhook = () => void navigate({ to: PATHS.webhooks, search: { nuevo: '1' } });
  return (
    <>
      <ListScreen
        screen={screen}
        columns={keyColumns(setReplaced, setRevoked)}
        dialogs={{ new: (given) => <KeyFormDialog {...given} onCreated={setMade} /> }}
      />
      <LongestLife />
      {replaced && (
        <ActionQuestion
          title={texts.replaceTitle}
          text={texts.replaceText(labelOf(replaced))}
          confirmLabel={texts.replace}
          busyLabel={texts.creating}
          tone="neutral"
          run={async () => setMade(await replace.mutateAsync(replaced.id))}
          failed={texts.replaceFailed}
          onClose={() => setReplaced(null)}
        />
      )}
      {revoked && (
        <ActionQuestion
          title={texts.revokeTitle}
          text={texts.revokeText(labelOf(revoked))}
          confirmLabel={texts.revoke}
          busyLabel={texts.revoking}
          tone="danger"
          run={async () => {
            await revoke.mutateAsync(revoked.id);
            toasts.success(texts.revokeDone, labelOf(revoked));
          }}
          failed={texts.revokeFailed}
          onClose={() => setRevoked(null)}
        />
      )}
      {made && screen.dialog.kind === 'closed' && (
        <ShownOnce
          title={onceTexts.keyTitle}
          lead={onceTexts.keyLead}
          label={`${onceTexts.key}: ${made.name}`}
          text={made.key}
          confirm={onceTexts.saved}
          next={mayHook ? { label: onceTexts.copyAndWebhook, run: toWebhook } : undefined}
          onClose={() => setMade(null)}
        />
      )}
    </>
  );
}
