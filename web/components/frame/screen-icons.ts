import {
  ChartColumn,
  FileKey2,
  LayoutDashboard,
  type LucideIcon,
  Package,
  Settings,
  Tags,
  Upload,
  Users,
} from 'lucide-react';

/**
 * The icons of the sidebar, by name. screens.ts uses the names only: the first file that runs imports it, and the
 * icons are loaded with the frame.
 */
export const SCREEN_ICONS = {
  overview: LayoutDashboard,
  people: Users,
  key: FileKey2,
  tags: Tags,
  package: Package,
  chart: ChartColumn,
  gear: Settings,
  upload: Upload,
} as const satisfies Record<string, LucideIcon>;

export type ScreenIcon = keyof typeof SCREEN_ICONS;
