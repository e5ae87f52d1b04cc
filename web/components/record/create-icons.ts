import { FilePlus2, type LucideIcon, PackagePlus, Tag, UserPlus } from 'lucide-react';
import type { MainKind } from '../../record-kinds.ts';

/** The icons of actions that create a record, wherever they are offered. */
export const CREATE_ICONS: Record<MainKind, LucideIcon> = {
  licenses: FilePlus2,
  clients: UserPlus,
  software: PackagePlus,
  license_types: Tag,
};
