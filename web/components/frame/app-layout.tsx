import { Outlet, useLocation } from '@tanstack/react-router';
import { LogOut, type LucideIcon, UserRound } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Permission } from '../../../contract/people/permissions.ts';
import { useConnection } from '../../api/connection.ts';
import { useMay } from '../../api/permissions.ts';
import { useSession } from '../../api/session.ts';
import { Link } from '../../navigation/link.tsx';
import { isAtOrBelow, PATHS } from '../../paths.ts';
import { connectionTexts, openingText, PRODUCT } from '../../text/es.ts';
import { layoutTexts } from '../../text/es-layout.ts';
import { AppShell, SidebarProfile } from '../../ui/app-shell.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { codeOf, lazyComponent, useCode } from '../screen/code.tsx';
import { ConnectionBanner } from '../screen/connection-banner.tsx';
import { NoPermission } from '../screen/no-permission.tsx';
import { setSidebarOpen, useUi } from '../screen/ui-store.ts';
import { useSignOut } from '../screen/use-sign-out.ts';
import { keepEarlyKeys } from '../shortcuts/early-keys.ts';
import { BrandMark } from './brand-mark.tsx';
import { NotificationsBell } from './notifications-bell.tsx';
import { SearchBox } from './search-box.tsx';
import { ThemeToggle } from './theme-toggle.tsx';
import { UserMenu } from './user-menu.tsx';

/** The fields of a screen that the sidebar shows. */
interface SidebarEntry {
  path: string;
  title: string;
  icon: LucideIcon;
  /** Shown to people who have one of these permissions. Absent: shown to everyone. */
  needs?: readonly Permission[];
}

interface AppLayoutProps {
  screens: readonly SidebarEntry[];
  sections: readonly SidebarEntry[];
}

const SidebarDrawer = lazyComponent(
  codeOf(() => import('../../ui/sidebar-drawer.tsx')),
  (module) => module.SidebarDrawer,
);

/**
 * The frame around every screen for signed-in people (SEED-2.2-01 to -12).
 * @param screens the screens of the sidebar, from top to bottom
 * @param sections further pages that the palette finds
 */
export function AppLayout({ screens: allScreens, sections: allSections }: AppLayoutProps) {
  const may = useMay();
  const isOffered = ({ needs }: SidebarEntry) => needs === undefined || needs.some(may);
  const screens = allScreens.filter(isOffered);
  const sections = allSections.filter(isOffered);
  const address = useLocation({ select: ({ pathname }) => pathname });
  const current = [...allSections, ...allScreens].find(({ path }) => isAtOrBelow(address, path));
  const sidebarOpen = useUi((state) => state.sidebarOpen);
  const opening = useOpening(screens);
  useFocusOnScreenChange();
  return (
    <AppShell
      brand={{ name: PRODUCT, mark: <BrandMark /> }}
      items={screens.map(({ path, title, icon }) => ({
        key: path,
        label: title,
        icon: icon,
      }))}
      renderLink={(item, { className, ...props }) => (
        <Link
          to={item.key}
          {...props}
          data-opening={item.key === opening?.path || undefined}
          // 'Cobros' has no entry of its own: it is a tab beside the licences (MONEY-13).
          {...(item.key === PATHS.licenses &&
            isAtOrBelow(address, PATHS.payments) && { 'aria-current': 'page' as const })}
          className={cx(className, 'data-opening:bg-brand-tint data-opening:text-brand-text')}
        />
      )}
      sidebarOpen={sidebarOpen}
      onSidebarOpenChange={setSidebarOpen}
      drawer={SidebarDrawer}
      sidebarFooter={
        // The same two words for every user (SEED-2.2-04, SEED-6-03, D023).
        <SidebarProfile
          name={layoutTexts.footerName}
          detail={layoutTexts.footerRole}
          avatar={
            <span className="flex size-9 shrink-0 items-center justify-center rounded-full border border-border bg-sunken text-muted">
              <UserRound aria-hidden className="size-4.5" />
            </span>
          }
        />
      }
      search={<SearchBox screens={[...screens, ...sections]} />}
      actions={
        <>
          <NotificationsBell />
          <ThemeToggle />
          <UserArea />
        </>
      }
    >
      <OpeningLine screen={opening?.title} />
      <ConnectionState opening={opening?.title} />
      {current && !isOffered(current) ? <NoPermission /> : <Outlet />}
      <Later />
    </AppShell>
  );
}

const later = codeOf(() => import('./frame-later.tsx'));
keepEarlyKeys();

/**
 * Renders the parts of the frame that are not visible at first: shortcuts, the bell's data and the password dialog.
 */
function Later() {
  const { module } = useCode(later);
  return module && <module.FrameLater />;
}

/** The screen that was chosen and whose code is still loading. */
function useOpening(screens: readonly SidebarEntry[]) {
  const address = useUi((state) => state.opening);
  return address === null ? undefined : screens.find(({ path }) => isAtOrBelow(address, path));
}

/** A thin line at the upper edge while a screen loads. */
function OpeningLine({ screen }: { screen: string | undefined }) {
  return (
    <div role="status" data-print="hidden">
      {screen !== undefined && (
        <span className="fixed inset-x-0 top-0 z-40 block h-0.5 animate-pulse-soft bg-brand">
          <span className="sr-only">{openingText(screen)}</span>
        </span>
      )}
    </div>
  );
}

/**
 * The banner about an unreachable server, above the screen. Its live region exists from the start, because screen
 * readers announce only changes inside a region, not a region that appears.
 */
function ConnectionState({ opening }: { opening: string | undefined }) {
  const lost = useConnection(({ state }) => state === 'lost');
  return (
    <div role="status" data-print="hidden" className="sticky top-18 z-20">
      {lost && (
        <ConnectionBanner announce="none" className="mb-6 shadow-float">
          {opening !== undefined && connectionTexts.opensLater(opening)}
        </ConnectionBanner>
      )}
    </div>
  );
}

/** The signed-in user and the sign-out button (SEED-2.2-09 to -12). */
function UserArea() {
  const user = useSession((state) => state.user);
  const signingOut = useUi((state) => state.loading.signOut);
  const [leave] = useSignOut();
  return (
    <div className="flex items-center border-border sm:gap-2 sm:border-l sm:pl-3">
      {user && <UserMenu user={user} />}
      <Button
        variant="ghost"
        size="sm"
        icon={LogOut}
        busy={signingOut}
        onClick={leave}
        aria-label={layoutTexts.signOut}
        title={layoutTexts.signOut}
      >
        <span className="max-lg:sr-only">{layoutTexts.signOut}</span>
      </Button>
    </div>
  );
}

/** What stays the same while dialogs open over a screen. Each client and licence is a screen (DESK-05). */
const screenOf = (path: string) => /^\/(?:clients|licenses)\/\d+|^\/[^/]*/.exec(path)?.[0];

/**
 * Moves focus to the content when the screen (not one of its dialogs) changes, for users of a keyboard or a screen
 * reader. The first screen leaves focus where the browser puts it.
 */
function useFocusOnScreenChange(): void {
  const screen = useLocation({ select: ({ pathname }) => screenOf(pathname) });
  const previous = useRef(screen);
  useEffect(() => {
    if (previous.current === screen) return;
    previous.current = screen;
    // The palette is open, and the focus must stay in its text field.
    if (useUi.getState().modals.palette !== null) return;
    document.getElementById('contenido')?.focus({ preventScroll: true });
  }, [screen]);
}
