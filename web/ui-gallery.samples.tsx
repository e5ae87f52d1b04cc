/** Invented rows for the gallery. */
import { Pencil, Trash } from 'lucide-react';
import { Avatar } from './ui/avatar.tsx';
import { Badge } from './ui/badge.tsx';
import { IconButton } from './ui/button.tsx';
import type { Column } from './ui/table-columns.ts';

export interface Person {
  id: number;
  name: string;
  email: string;
  company: string;
  city: string;
  active: boolean;
  licenses: number;
}

const FIRST_NAMES = ['Ana', 'Luis', 'María José', 'Íñigo', 'Sofía', 'Ángel', 'Lucía'];
const COMPANIES = ['Grupo Peña', 'Tecnología del Bajío S.A. de C.V.', 'Muñoz y Asociados'];

export const people: readonly Person[] = Array.from({ length: 23 }, (_, index) => {
  const first = FIRST_NAMES[index % FIRST_NAMES.length] ?? '';
  return {
    id: index + 1,
    name: `${first} Hernández ${index + 1}`,
    email: `persona.${index + 1}@ejemplo.com.mx`,
    company: COMPANIES[index % COMPANIES.length] ?? '',
    city: 'Ciudad de México',
    active: index % 3 !== 0,
    licenses: index * 7,
  };
});

export const columns: readonly Column<Person>[] = [
  {
    key: 'client',
    header: 'Cliente',
    min: 12,
    grow: 3,
    cell: (person) => (
      <div className="flex items-center gap-3">
        <Avatar initials={person.name.slice(0, 1)} />
        <div className="min-w-0">
          <p className="font-medium">{person.name}</p>
          <p className="text-xs text-muted">{person.email}</p>
        </div>
      </div>
    ),
  },
  {
    key: 'company',
    header: 'Empresa',
    min: 8,
    grow: 2,
    fold: 1,
    cell: (person) => (
      <>
        <p>{person.company}</p>
        <p className="text-xs text-muted">{person.city}</p>
      </>
    ),
  },
  {
    key: 'type',
    header: 'Tipo',
    min: 8.375,
    fold: 3,
    cell: () => (
      <Badge tone="neutral" dot={false}>
        Pequeña Empresa
      </Badge>
    ),
  },
  {
    key: 'status',
    header: 'Estado',
    min: 6.875,
    cell: (person) => (
      <Badge tone={person.active ? 'success' : 'danger'}>{person.active ? 'Activo' : 'Suspendido'}</Badge>
    ),
  },
  {
    key: 'licenses',
    header: 'Licencias',
    align: 'end',
    min: 6,
    cell: (person) => `${person.licenses} activas`,
  },
  { key: 'created', header: 'Registro', min: 6, fold: 2, cell: () => '21/11/2025' },
  {
    key: 'actions',
    header: 'Acciones',
    align: 'end',
    noPrint: true,
    min: 5.25,
    cell: () => (
      <div className="flex justify-end gap-0.5">
        <IconButton size="sm" label="Editar" icon={Pencil} />
        <IconButton size="sm" label="Eliminar" icon={Trash} tone="danger" />
      </div>
    ),
  },
];
