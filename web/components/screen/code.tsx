import { type ComponentType, type ReactNode, use, useEffect, useState } from 'react';
import { whenNotLost } from '../../api/connection.ts';
import { checkConnection } from '../../api/connection-watch.ts';
import { ScreenPending } from './screen-pending.tsx';

/** Code of a screen or a dialog that is loaded on demand. */
export interface Code<Module = unknown> {
  /** The module, once it is loaded. */
  readonly module: Module | undefined;
  /**
   * Tries to load the module once, as soon as the connection is not lost; simultaneous callers share the attempt. For
   * prefetching.
   */
  fetch: () => Promise<Module>;
  /**
   * Loads code that is needed now. While the connection is lost, it waits. If the file is missing although the server
   * answers, a new version of the console was deployed, and the page is reloaded once.
   * @param address the address to open after the reload; default: the current one
   * @throws if the file is still missing after the reload
   */
  required: (address?: string) => Promise<Module>;
}

const known: Code[] = [];

/**
 * Declares code that is loaded on demand. All declared code is prefetched while the browser is idle (`fetchAhead`),
 * including code that a prefetched module declares.
 *
 *     const form = codeOf(() => import('../frame/clients-form.tsx'));
 *     const ClientFormDialog = lazyComponent(form, (module) => module.ClientFormDialog);
 */
export function codeOf<Module>(load: () => Promise<Module>): Code<Module> {
  let module: Module | undefined;
  let trying: Promise<Module> | undefined;
  let waiting: Promise<Module> | undefined;

  const fetch = () => {
    if (module !== undefined) return Promise.resolve(module);
    // Nothing is imported while the connection is lost: browsers that follow an older HTML standard, Chromium 150 among
    // them, never fetch a file of code again that failed once.
    trying ??= whenNotLost()
      .then(load)
      .then((loaded) => {
        module = loaded;
        return loaded;
      })
      .finally(() => {
        trying = undefined;
      });
    return trying;
  };

  const loadWithRetry = async (address: string | undefined): Promise<Module> => {
    for (;;) {
      await whenNotLost();
      try {
        return await fetch();
      } catch (error) {
        // The failed attempt may have begun before the connection was restored, so it is repeated once.
        if (await checkConnection()) {
          const again = await fetch().catch(() => undefined);
          if (again !== undefined) return again;
          if (!loadPageAnew(address)) throw error;
          // The page reloads, so this promise must never resolve.
          return new Promise(() => {});
        }
      }
    }
  };

  const code: Code<Module> = {
    get module() {
      return module;
    },
    fetch,
    required: (address) => {
      waiting ??= loadWithRetry(address);
      return waiting;
    },
  };
  known.push(code);
  return code;
}

/** The next declared code that is neither loaded nor in `except`. */
export function nextMissingCode(except: ReadonlySet<Code>): Code | undefined {
  return known.find((code) => code.module === undefined && !except.has(code));
}

/** A component whose code is loaded on demand; until then the nearest <Suspense> shows its fallback. */
export function lazyComponent<Module, Props extends object>(
  code: Code<Module>,
  pick: (module: Module) => ComponentType<Props>,
): (props: Props) => ReactNode {
  return function FromCode(props: Props) {
    const Component = pick(code.module ?? use(code.required()));
    return <Component {...props} />;
  };
}

interface Loaded<Module> {
  module?: Module | undefined;
  failed?: { error: unknown };
}

/**
 * Loads code once the component is rendered. It does not use <Suspense>, which delays its content by 300 ms after its
 * fallback was shown.
 */
export function useCode<Module>(code: Code<Module>): Loaded<Module> {
  const [got, setGot] = useState<Loaded<Module>>({});
  const loaded = code.module === undefined ? got : { module: code.module };
  const isMissing = loaded.module === undefined && loaded.failed === undefined;
  useEffect(() => {
    if (!isMissing) return;
    let isGone = false;
    const unlessGone = (next: Loaded<Module>) => {
      if (!isGone) setGot(next);
    };
    code.required().then(
      (module) => unlessGone({ module }),
      (error: unknown) => unlessGone({ failed: { error } }),
    );
    return () => {
      isGone = true;
    };
  }, [code, isMissing]);
  return loaded;
}

/**
 * A screen whose code is loading shows its skeleton after this time: early enough to respond, late enough not to
 * flicker.
 */
const PENDING_MS = 50;

/** A component whose code is loaded on demand, with its props. While it loads, a skeleton is shown. */
export const lazyScreen = <Props extends object>(code: Code<ComponentType<Props>>, props: Props) =>
  function Screen() {
    const { module: Component, failed } = useCode(code);
    if (failed) throw failed.error;
    return Component === undefined ? <Pending /> : <Component {...props} />;
  };

function Pending() {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), PENDING_MS);
    return () => clearTimeout(timer);
  }, []);
  return isDue && <ScreenPending />;
}

const RELOADED_KEY = 'license_manager_reloaded';
/** A page that needs a second reload sooner than this shows an error instead. */
const RELOAD_AGAIN_MS = 60_000;

/**
 * Reloads the page, at most once a minute in each tab for each version of the console. Otherwise a file that is also
 * missing in the new version would cause an endless loop. With unsaved changes in a form the browser asks first.
 * @returns false if the page was just reloaded
 */
function loadPageAnew(address: string | undefined): boolean {
  try {
    // import.meta.url identifies the version: the file's name contains a hash of its content and of the files it
    // imports.
    const [version, time] = (sessionStorage.getItem(RELOADED_KEY) ?? '').split(' ');
    if (version === import.meta.url && Date.now() < Number(time) + RELOAD_AGAIN_MS) return false;
    sessionStorage.setItem(RELOADED_KEY, `${import.meta.url} ${Date.now()}`);
  } catch {
    // Without storage the page could reload endlessly.
    return false;
  }
  if (address === undefined) location.reload();
  else location.assign(address);
  return true;
}
