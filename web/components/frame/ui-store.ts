import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { applyTheme, readTheme, type Theme } from '../../ui/theme.ts';

/** One licence that the bell speaks of. */
export interface Notification {
  id: number;
  licenseKey: string;
  clientName: string;
  expiryDate: string;
}

/**
 * The state of the interface that no address carries (SEED-3-31). Only whether the sidebar is open is remembered
 * (D041); the theme has a key of its own, which is read before the first paint.
 */
interface UiState {
  sidebarOpen: boolean;
  theme: Theme;
  /** Panels that are open, by name: moments, not places. */
  modals: { notifications: boolean };
  notifications: readonly Notification[];
  /** Work of the frame itself that is under way. */
  loading: { signOut: boolean };
  /** The path of a screen that somebody chose and whose code is on its way; they are still where they were. */
  opening: string | null;
  /** How the list at each path was last narrowed, so that closing a record that was opened from elsewhere leads back to it. */
  filters: Partial<Record<string, Record<string, unknown>>>;
}

export const useUi = create<UiState>()(
  persist(
    (): UiState => ({
      sidebarOpen: true,
      theme: readTheme(),
      modals: { notifications: false },
      notifications: [],
      loading: { signOut: false },
      opening: null,
      filters: {},
    }),
    { name: 'license_manager_ui', partialize: ({ sidebarOpen }) => ({ sidebarOpen }) },
  ),
);

export const setSidebarOpen = (sidebarOpen: boolean) => useUi.setState({ sidebarOpen });

export function setTheme(theme: Theme): void {
  applyTheme(theme);
  useUi.setState({ theme });
}

export const setNotificationsOpen = (notifications: boolean) => useUi.setState({ modals: { notifications } });

export const setNotifications = (notifications: readonly Notification[]) => useUi.setState({ notifications });

export const setSigningOut = (signOut: boolean) => useUi.setState({ loading: { signOut } });

export const setOpening = (opening: string | null) => useUi.setState({ opening });

export const rememberFilters = (path: string, search: Record<string, unknown>) =>
  useUi.setState(({ filters }) => ({ filters: { ...filters, [path]: search } }));

/** What belonged to one person is not shown to the next. */
export const forgetPersonalState = () =>
  useUi.setState({
    modals: { notifications: false },
    notifications: [],
    loading: { signOut: false },
    opening: null,
    filters: {},
  });
