import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type FormEvent, type ReactElement, useState } from 'react';
import type { View, ViewInput, ViewScreen } from '../../../contract/base/views.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { states } from '../../text/es.ts';
import { viewTexts } from '../../text/es-filters.ts';
import { viewsTitle } from '../../text/es-lists.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Popover } from '../../ui/popover.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { orToast } from '../record/use-action.ts';
import { LoadError } from '../screen/load-error.tsx';
import { Offered } from '../screen/offered.tsx';

const VIEWS_PATH = '/licenses/api/views/';

const viewsQuery = (screen: ViewScreen) =>
  queryOptions({
    queryKey: [KEYS.views, screen],
    queryFn: async ({ signal }) =>
      (await request<{ results: View[] }>('GET', VIEWS_PATH, { query: { screen }, signal })).results,
    staleTime: 0,
  });

interface ViewsMenuProps {
  trigger: ReactElement;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  screen: ViewScreen;
  ready: readonly { name: string; query: string }[];
  /** Search, filters and order in the address, without '?'. */
  current: string;
  onChoose: (query: string) => void;
}

/** The panel 'Vistas': predefined, private and shared views, and the form that saves the current one (LIST-03). */
export function ViewsMenu({ trigger, open, onOpenChange, screen, ready, current, onChoose }: ViewsMenuProps) {
  const { data, error, isFetching, refetch } = useQuery({ ...viewsQuery(screen), enabled: open });
  const choose = (query: string) => {
    onChoose(query);
    onOpenChange(false);
  };
  const shared = data?.filter(({ own }) => !own) ?? [];
  const own = data?.filter((view) => view.own) ?? [];
  return (
    <Popover tall align="start" title={viewsTitle} trigger={trigger} open={open} onOpenChange={onOpenChange}>
      <div className="space-y-4 p-2">
        {ready.length > 0 && (
          <ViewList title={viewTexts.ready} views={ready} current={current} onChoose={choose} />
        )}
        {own.length > 0 && (
          <ViewList title={viewTexts.own} views={own} current={current} onChoose={choose} screen={screen} />
        )}
        {shared.length > 0 && (
          <ViewList title={viewTexts.shared} views={shared} current={current} onChoose={choose} />
        )}
        {data === undefined && !error && <p role="status">{states.loading}</p>}
        {error && (
          <LoadError
            title={viewTexts.loadFailed}
            error={error}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        )}
        {current === '' ? (
          <p className="text-xs text-muted">{viewTexts.nothing}</p>
        ) : (
          <SaveView screen={screen} query={current} />
        )}
      </div>
    </Popover>
  );
}

interface ViewListProps {
  title: string;
  views: readonly (Pick<View, 'name' | 'query'> & Partial<Pick<View, 'id'>>)[];
  current: string;
  onChoose: (query: string) => void;
  /** If set, each view can be deleted. */
  screen?: ViewScreen;
}

function ViewList({ title, views, current, onChoose, screen }: ViewListProps) {
  return (
    <section>
      <h3 className="px-2 text-xs font-medium text-muted">{title}</h3>
      <ul aria-label={title} className="mt-1">
        {views.map(({ id, name, query }) => (
          <li key={id ?? name} className="flex items-center gap-1">
            <button
              type="button"
              aria-current={query === current || undefined}
              onClick={() => onChoose(query)}
              className="min-h-8 min-w-0 flex-1 rounded-lg px-2 py-1 text-left wrap-anywhere hover:bg-sunken aria-[current]:bg-brand-tint aria-[current]:text-brand-text pointer-coarse:min-h-11"
            >
              {name}
            </button>
            {screen && id !== undefined && <RemoveView screen={screen} id={id} name={name} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function RemoveView({ screen, id, name }: { screen: ViewScreen; id: number; name: string }) {
  const queryClient = useQueryClient();
  const [remove, busy] = useOneAtATime(async () => {
    await orToast(viewTexts.removeFailed, async () => {
      await request<unknown>('DELETE', `${VIEWS_PATH}${id}/`);
      toasts.success(viewTexts.removed);
    });
    await queryClient.invalidateQueries({ queryKey: viewsQuery(screen).queryKey });
  });
  return (
    <IconButton
      size="sm"
      icon={Trash2}
      label={viewTexts.remove(name)}
      tooltip={false}
      aria-busy={busy || undefined}
      onClick={remove}
    />
  );
}

function SaveView({ screen, query }: { screen: ViewScreen; query: string }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [save, busy] = useOneAtATime(async () => {
    setProblem(undefined);
    try {
      const body: ViewInput = { screen, name, query, shared };
      await request<View>('POST', VIEWS_PATH, { body });
      setName('');
      setShared(false);
      toasts.success(viewTexts.saved);
      await queryClient.invalidateQueries({ queryKey: viewsQuery(screen).queryKey });
    } catch (error) {
      const ofName = error instanceof ApiError ? error.fieldErrors.name?.[0] : undefined;
      if (ofName === undefined) toasts.error(viewTexts.saveFailed, errorMessage(error));
      else setProblem(ofName);
    }
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  return (
    <form noValidate onSubmit={submit} className="space-y-3 border-t border-border px-2 pt-3">
      <Field label={viewTexts.name} error={problem}>
        <TextInput value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Offered what="views.share">
        <Checkbox
          label={viewTexts.share}
          checked={shared}
          onChange={({ target }) => setShared(target.checked)}
        />
      </Offered>
      <Button type="submit" size="sm" variant="primary" busy={busy} busyLabel={viewTexts.saving}>
        {viewTexts.save}
      </Button>
    </form>
  );
}
