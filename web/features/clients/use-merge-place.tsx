import { useEffect, useRef } from 'react';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import { ApiError } from '../../api/api-error.ts';
import { useOffers } from '../../api/offers.ts';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { DialogCode } from '../../components/screen/dialog-code.tsx';
import { useNavigate, useSearch } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { toasts } from '../../ui/toasts.ts';
import { readClientPageSearch } from './clients-search.ts';
import { mergeTexts as texts } from './merge-texts.ts';

const code = codeOf(() => import('./merge-dialog.tsx'));
const MergeDialog = lazyComponent(code, (module) => module.MergeDialog);

/** The address without the open dialog, which it names by the other client: ?fusionar=7. */
const closed = <Search extends object>(now: Search) => ({ ...now, fusionar: undefined });

/** 'Fusionar clientes' in the details of a client: what opens it, and its dialog. */
export function useMergePlace(id: number) {
  const navigate = useNavigate();
  const isOffered = useOffers();
  const { fusionar } = useSearch(readClientPageSearch);
  const opener = useRef<HTMLElement | null>(null);
  const mayMerge = isOffered('clients.merge') && isOffered('clients.edit');
  const other = mayMerge && fusionar !== id ? fusionar : undefined;
  const close = () =>
    // The cast is safe: the screen's own parameters stay as they are.
    navigate({ to: '.', search: (now) => closed(now) as typeof now, state: true, replace: true });
  const onClose = () => void close();
  const onMerge = (chosen: number, pressed: HTMLElement) => {
    opener.current = pressed;
    void navigate({
      to: '.',
      search: (now) => ({ ...now, fusionar: chosen }) as typeof now,
      state: true,
    });
  };
  const onMerged = (into: number) => {
    // The button goes with the other client.
    opener.current = null;
    if (into === id) return close();
    return navigate({ to: PATHS.client, params: { id: String(into) }, search: {}, replace: true });
  };
  const dialogOf = (client: ClientDetails) => (
    <DialogPlace key={`merge-${client.id}`} open={other !== undefined}>
      {other !== undefined && (
        <DialogCode title={texts.title} size="lg" onClose={onClose}>
          <MergeDialog
            {...{ client, other, onClose, onMerged }}
            finalFocus={() => comesHome(opener.current)}
          />
        </DialogCode>
      )}
    </DialogPlace>
  );
  return { onMerge, dialogOf };
}

/** The button that opened the dialog; the tab, if a merge has taken the button away. */
const comesHome = (opener: HTMLElement | null): HTMLElement | null =>
  opener?.isConnected ? opener : document.querySelector('[role="tab"][aria-selected="true"]');

/**
 * Follows the address of a client that was merged to the client that has its records, and says so (MERGE-01).
 * @param error the failure of the client's query
 */
export function useFollowMerged(error: unknown, follow: (into: number) => void): void {
  const into = error instanceof ApiError && error.status === 404 ? error.body.merged_into : undefined;
  const latest = useRef(follow);
  latest.current = follow;
  useEffect(() => {
    if (typeof into !== 'number') return;
    toasts.info(texts.followed);
    latest.current(into);
  }, [into]);
}
