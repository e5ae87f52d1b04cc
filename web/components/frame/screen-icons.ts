import {
  ChartColumn,
  FileKey2,
  LayoutDashboard,
  type LucideIcon,
  Package,
  Settings,
  Tags,
  Users,
} from 'lucide-react';

/**
 * The icons that a screen may have in the sidebar, by what they show. screens.ts names them by these words, because the
 * first file that runs imports it, and the pictures come with the frame.
 */
export const SCREEN_ICONS = {
  overview: LayoutDashboard,
  people: Users,
  key: FileKey2,
  tags: Tags,
  package: Package,
  chart: ChartColumn,
  gear: Settings,
} as const satisfies Record<string, LucideIcon>;

export type ScreenIcon = keyof typeof SCREEN_ICONS;
