import { type ComponentType, type ReactNode, use } from 'react';
import { whenNotLost } from '../../api/connection.ts';
import { checkConnection } from '../../api/connection-watch.ts';

/** Code of the console that comes on demand: of a screen, a dialog, a chart. */
export interface Code<Module = unknown> {
  /** The module, once it is here. */
  readonly module: Module | undefined;
  /** Tries once to get it; whoever asks meanwhile gets the same try. For what may be needed soon. */
  fetch: () => Promise<Module>;
  /**
   * Gets it for a person who waits: while the connection is lost it waits for it. Code that is gone although the server
   * answers belongs to an older version of the console, and the page is loaded anew, once.
   * @param address where the person wants to be in the new page; where they are, unless told
   * @throws when it is still gone after that
   */
  wanted: (address?: string) => Promise<Module>;
}

interface KnownCode {
  code: Code;
  /** Heavy and seldom missed: fetched ahead after all else. */
  last: boolean;
}

const known: KnownCode[] = [];

/**
 * Names code that comes on demand. Everything that is named is fetched ahead in idle moments (`fetchAhead`), also what a
 * module names that came that way.
 *
 *     const form = codeOf(() => import('./clients-form.tsx'));
 *     const ClientFormDialog = lazyComponent(form, (module) => module.ClientFormDialog);
 */
export function codeOf<Module>(load: () => Promise<Module>, { last = false } = {}): Code<Module> {
  let module: Module | undefined;
  let trying: Promise<Module> | undefined;
  let waiting: Promise<Module> | undefined;

  const fetch = () => {
    if (module !== undefined) return Promise.resolve(module);
    trying ??= load()
      .then((loaded) => {
        module = loaded;
        return loaded;
      })
      .finally(() => {
        trying = undefined;
      });
    return trying;
  };

  const untilHere = async (address: string | undefined): Promise<Module> => {
    for (;;) {
      await whenNotLost();
      try {
        return await fetch();
      } catch (error) {
        // A try that was under way while the connection came back failed for the same reason.
        if (await checkConnection()) {
          const again = await fetch().catch(() => undefined);
          if (again !== undefined) return again;
          if (!loadPageAnew(address)) throw error;
          // The page is on its way out.
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
    wanted: (address) => {
      waiting ??= untilHere(address);
      return waiting;
    },
  };
  known.push({ code, last });
  return code;
}

/** The next piece of code that is neither here nor among those to leave out. */
export function nextMissingCode(except: ReadonlySet<Code>): Code | undefined {
  const missing = known.filter(({ code }) => code.module === undefined && !except.has(code));
  return (missing.find(({ last }) => !last) ?? missing[0])?.code;
}

/** A component whose code comes on demand; until it is here the nearest <Suspense> shows what it shows. */
export function lazyComponent<Module, Props extends object>(
  code: Code<Module>,
  pick: (module: Module) => ComponentType<Props>,
): (props: Props) => ReactNode {
  return function FromCode(props: Props) {
    const Component = pick(code.module ?? use(code.wanted()));
    return <Component {...props} />;
  };
}

const codes = new WeakMap<object, Code>();

/**
 * The component of a route: the router fetches its code when someone points at a link.
 * @param props what the component is given wherever it stands
 */
export function lazyScreen<Props extends object>(code: Code<ComponentType<Props>>, props: Props) {
  const Component = lazyComponent(code, (component) => component);
  const screen = Object.assign(() => <Component {...props} />, {
    preload: async () => {
      // Whoever goes there finds out.
      await code.fetch().catch(() => undefined);
    },
  });
  codes.set(screen, code);
  return screen;
}

/** The code behind the component of a route. */
export const codeOfScreen = (component: unknown): Code | undefined =>
  typeof component === 'function' ? codes.get(component) : undefined;

const RELOADED_KEY = 'license_manager_reloaded';

/**
 * Loads the page from the server, at most once for each version of the console in this tab: a file that is missing from
 * the new version as well must not make a loop. An open form with changes in it makes the browser ask first.
 */
function loadPageAnew(address: string | undefined): boolean {
  try {
    // The name of this file holds a hash of what is in it and in the files that it names.
    if (sessionStorage.getItem(RELOADED_KEY) === import.meta.url) return false;
    sessionStorage.setItem(RELOADED_KEY, import.meta.url);
  } catch {
    // What cannot be remembered could happen again and again.
    return false;
  }
  if (address === undefined) location.reload();
  else location.assign(address);
  return true;
}
