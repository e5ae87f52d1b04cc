/**
 * Every component of `web/ui` in every state, for the eye and for the screenshots: `npm run dev`, then
 * /ui-gallery.html. It is no part of the production build, whose only page is index.html.
 */
import './styles/index.css';
import {
  Bell,
  ChartColumn,
  FileKey,
  KeyRound,
  LayoutDashboard,
  LogOut,
  Moon,
  Package,
  Pencil,
  Plus,
  Printer,
  Settings,
  Tags,
  Trash,
  Users,
} from 'lucide-react';
import { type ReactNode, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { AppShell, SidebarProfile } from './ui/app-shell.tsx';
import { Avatar } from './ui/avatar.tsx';
import { BADGE_TONES, Badge } from './ui/badge.tsx';
import { Banner, InfoStrip } from './ui/banner.tsx';
import { Button, buttonClass, IconButton } from './ui/button.tsx';
import { Card } from './ui/card.tsx';
import { Checkbox, Switch } from './ui/checkbox.tsx';
import { Code } from './ui/code.tsx';
import { ConfirmDialog } from './ui/confirm-dialog.tsx';
import { CopyButton } from './ui/copy-button.tsx';
import { Dialog, DialogSection, type DialogSize } from './ui/dialog.tsx';
import { Field } from './ui/field.tsx';
import { PageHeader } from './ui/page-header.tsx';
import { PageSizeSelect } from './ui/page-size-select.tsx';
import { Pagination } from './ui/pagination.tsx';
import { Popover } from './ui/popover.tsx';
import { SearchInput } from './ui/search-input.tsx';
import { SearchPicker } from './ui/search-picker.tsx';
import { Select } from './ui/select.tsx';
import { SkeletonCard, SkeletonRows } from './ui/skeleton.tsx';
import { StatCard } from './ui/stat-card.tsx';
import { EmptyState, ErrorState } from './ui/states.tsx';
import { type Column, Table } from './ui/table.tsx';
import { Tabs } from './ui/tabs.tsx';
import { DateInput, NumberInput, TextArea, TextInput } from './ui/text-input.tsx';
import { applyTheme, readTheme } from './ui/theme.ts';
import { toasts } from './ui/toasts.ts';
import { UiProvider } from './ui/ui-provider.tsx';

interface Person {
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

const people: readonly Person[] = Array.from({ length: 23 }, (_, index) => {
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

const columns: readonly Column<Person>[] = [
  {
    key: 'client',
    header: 'Cliente',
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
    hideBelow: 'lg',
    cell: () => (
      <Badge tone="neutral" dot={false}>
        Pequeña Empresa
      </Badge>
    ),
  },
  {
    key: 'status',
    header: 'Estado',
    cell: (person) => (
      <Badge tone={person.active ? 'success' : 'danger'}>{person.active ? 'Activo' : 'Suspendido'}</Badge>
    ),
  },
  { key: 'licenses', header: 'Licencias', align: 'end', cell: (person) => `${person.licenses} activas` },
  { key: 'created', header: 'Registro', hideBelow: 'xl', cell: () => '21/11/2025' },
  {
    key: 'actions',
    header: 'Acciones',
    align: 'end',
    noPrint: true,
    cell: () => (
      <div className="flex justify-end gap-0.5">
        <IconButton size="sm" label="Editar" icon={Pencil} />
        <IconButton size="sm" label="Eliminar" icon={Trash} tone="danger" />
      </div>
    ),
  },
];

const navItems = [
  { key: 'dashboard', label: 'Dashboard', icon: LayoutDashboard },
  { key: 'clients', label: 'Clientes', icon: Users },
  { key: 'licenses', label: 'Licencias', icon: FileKey },
  { key: 'license-types', label: 'Tipos de Licencia', icon: Tags },
  { key: 'software', label: 'Software', icon: Package },
  { key: 'reports', label: 'Reportes', icon: ChartColumn },
  { key: 'settings', label: 'Configuración', icon: Settings },
];

function Shelf({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>;
}

function Buttons() {
  const [busy, setBusy] = useState(false);
  return (
    <Card title="Botones" subtitle="El ancho no cambia mientras trabaja">
      <div className="space-y-4">
        <Shelf>
          <Button variant="primary" icon={Plus}>
            Nuevo Cliente
          </Button>
          <Button icon={Printer}>Imprimir</Button>
          <Button variant="ghost">Limpiar filtros</Button>
          <Button variant="danger">Eliminar</Button>
          <a href="#contenido" className={buttonClass('secondary')}>
            Ver Reportes
          </a>
          <IconButton label="Editar" icon={Pencil} />
        </Shelf>
        <Shelf>
          <Button variant="primary" busy={busy} busyLabel="Creando..." onClick={() => setBusy(true)}>
            Crear Cliente
          </Button>
          <Button variant="primary" busy busyLabel="Iniciando sesión..." size="lg">
            Iniciar Sesión
          </Button>
          <Button variant="primary" disabled>
            Crear Licencia
          </Button>
          <Button disabled>Anterior</Button>
          <Button size="sm">Aplicar</Button>
          <CopyButton text="ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2" />
          <CopyButton text="ABCDE" iconOnly label="Copiar clave" copiedLabel="Clave copiada" />
        </Shelf>
      </div>
    </Card>
  );
}

function Fields() {
  const [search, setSearch] = useState('ana');
  return (
    <Card title="Campos">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Nombre" required>
          <TextInput defaultValue="Ana Hernández" />
        </Field>
        <Field
          label="Teléfono Principal"
          required
          help="Incluye el código de país, por ejemplo +525512345678."
          error="El teléfono debe tener entre 9 y 15 dígitos. Ejemplo: +1234567890"
        >
          <TextInput type="tel" defaultValue="55 1234" />
        </Field>
        <Field label="Precio" required>
          <NumberInput min={0} step={0.01} defaultValue={1200} />
        </Field>
        <Field label="Último Contacto">
          <DateInput defaultValue="2025-11-21" />
        </Field>
        <Field label="Tipo de Cliente" required>
          <Select defaultValue="b">
            <optgroup label="Categoría">
              <option value="a">Individual</option>
              <option value="b">Pequeña Empresa</option>
            </optgroup>
          </Select>
        </Field>
        <Field label="Empresa" help="No se puede cambiar.">
          <TextInput disabled defaultValue="Grupo Peña" />
        </Field>
        <Field label="Notas" wide>
          <TextArea placeholder="Algo que conviene recordar" />
        </Field>
        <Checkbox label="Acepto las condiciones" defaultChecked help="Se envían por correo." />
        <Checkbox label="Sin marcar" />
        <Switch label="Sin expiración" defaultChecked help="La licencia no vence." />
        <Switch label="Activo" />
        <SearchInput
          label="Buscar clientes"
          placeholder="Buscar clientes..."
          value={search}
          onChange={setSearch}
        />
        <Picker />
      </div>
    </Card>
  );
}

function Picker() {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Person | null>(null);
  const found = people.filter((person) => person.name.toLowerCase().includes(text.toLowerCase()));
  return (
    <Field label="Cliente" required>
      <SearchPicker
        items={found}
        value={chosen}
        onChange={setChosen}
        onSearch={setText}
        itemKey={(person) => person.id}
        itemText={(person) => `${person.name} - ${person.email}`}
        renderItem={(person) => (
          <div className="flex items-center justify-between gap-3">
            <div className="min-w-0">
              <p className="truncate font-medium">{person.name}</p>
              <p className="truncate text-xs text-muted">{`${person.company} · ${person.email}`}</p>
            </div>
            <Badge tone={person.active ? 'success' : 'secondary'}>
              {person.active ? 'Activo' : 'Inactivo'}
            </Badge>
          </div>
        )}
        loading={text === 'lento'}
        loadingText="Buscando clientes..."
        emptyText="No se encontraron clientes"
        placeholder="Buscar cliente..."
        clearLabel="Limpiar selección"
      />
    </Field>
  );
}

function Feedback() {
  return (
    <Card title="Avisos y estados">
      <div className="space-y-4">
        <Shelf>
          {BADGE_TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </Shelf>
        <Shelf>
          <Button onClick={() => toasts.success('Cliente creado exitosamente')}>Aviso de éxito</Button>
          <Button onClick={() => toasts.info('Importación en curso', 'Puedes seguir trabajando.')}>
            Aviso informativo
          </Button>
          <Button
            onClick={() => toasts.error('Error al crear el cliente', 'Ya existe un cliente con este email')}
          >
            Aviso de error
          </Button>
        </Shelf>
        <InfoStrip>{'Búsqueda: "anual" · Total: 3 · Estado: Cargado'}</InfoStrip>
        <Banner
          tone="warning"
          title="Sin conexión: Verifica tu conexión a internet"
          action={<Button size="sm">Reintentar Conexión</Button>}
        />
        <Banner tone="info" title="Credenciales de demostración">
          <p>Usuario: admin</p>
          <p>Contraseña: admin123</p>
        </Banner>
        <Banner tone="success" title="Email enviado">
          Se ha enviado un correo electrónico a ana@ejemplo.com con la información de la licencia.
        </Banner>
        <Banner tone="critical">No se pudo enviar el correo. Se reintentará automáticamente.</Banner>
        <ErrorState
          title="Error al cargar estadísticas"
          message="No se pudieron cargar los datos del dashboard. Por favor, intenta nuevamente."
          onRetry={() => toasts.info('Reintentando')}
        />
        <Code boxed>ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2</Code>
      </div>
    </Card>
  );
}

function Tables() {
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = useState<5 | 10 | 20>(5);
  const [busy, setBusy] = useState(false);
  return (
    <>
      <Card
        title="Clientes"
        subtitle={`${people.length} clientes`}
        padding="none"
        action={
          <PageSizeSelect
            value={pageSize}
            sizes={[5, 10, 20]}
            onChange={(size) => {
              setPageSize(size);
              setPage(1);
            }}
          />
        }
      >
        <Table
          caption="Clientes"
          columns={columns}
          rows={people.slice((page - 1) * pageSize, page * pageSize)}
          rowKey={(person) => person.id}
          busy={busy}
        />
        <div className="border-t border-border px-5 py-3">
          <Pagination
            page={page}
            totalPages={Math.ceil(people.length / pageSize)}
            total={people.length}
            pageSize={pageSize}
            onPage={setPage}
          />
        </div>
      </Card>
      <Pagination
        page={6}
        totalPages={12}
        total={1180}
        pageSize={100}
        noun="licencias"
        onPage={() => setBusy(!busy)}
      />
      <Card title="Cargando" padding="none">
        <Table
          caption="Cargando"
          columns={columns}
          rows={[]}
          rowKey={(person) => person.id}
          placeholderRows={3}
        />
      </Card>
      <div className="grid gap-4 lg:grid-cols-2">
        <Card padding="none">
          <SkeletonRows count={3} label="Cargando clientes..." />
        </Card>
        <Card>
          <EmptyState
            icon={Users}
            title="No hay clientes"
            hint="Ajusta los filtros o agrega tu primer cliente."
            action={
              <Button variant="primary" icon={Plus}>
                Nuevo Cliente
              </Button>
            }
          />
        </Card>
      </div>
    </>
  );
}

function Dialogs() {
  const [size, setSize] = useState<DialogSize | null>(null);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [tab, setTab] = useState<'summary' | 'licenses' | 'installations'>('summary');
  const [details, setDetails] = useState(false);
  return (
    <Card title="Diálogos y pestañas">
      <Shelf>
        {(['sm', 'md', 'lg', 'xl', 'full'] as const).map((name) => (
          <Button key={name} onClick={() => setSize(name)}>{`Diálogo ${name}`}</Button>
        ))}
        <Button onClick={() => setDetails(true)}>Detalles</Button>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Preguntar
        </Button>
      </Shelf>
      <div className="mt-4">
        <Tabs
          label="Detalles del cliente"
          value={tab}
          onChange={setTab}
          tabs={[
            { key: 'summary', label: 'Resumen', content: <p>Resumen del cliente</p> },
            { key: 'licenses', label: 'Licencias', count: 12, content: <p>Sus licencias</p> },
            { key: 'installations', label: 'Instalaciones', count: 0, content: <p>Sus instalaciones</p> },
          ]}
        />
      </div>
      <Dialog
        open={size !== null}
        onClose={() => setAsking(true)}
        size={size ?? 'md'}
        title="Nuevo Cliente"
        description="Los campos con asterisco son obligatorios."
        onSubmit={(event) => {
          event.preventDefault();
          toasts.success('Cliente creado exitosamente');
          setSize(null);
        }}
        footer={
          <>
            <Button onClick={() => setAsking(true)}>Cancelar</Button>
            <Button type="submit" variant="primary" busy={busy} busyLabel="Creando...">
              Crear Cliente
            </Button>
          </>
        }
      >
        {['Información Personal', 'Información Empresarial', 'Configuración'].map((title) => (
          <DialogSection key={title} title={title}>
            <Field label="Nombre" required>
              <TextInput />
            </Field>
            <Field label="Email" required error="El email no es válido">
              <TextInput type="email" defaultValue="ana@" />
            </Field>
            <Picker />
            <Field label="Notas" wide>
              <TextArea />
            </Field>
          </DialogSection>
        ))}
      </Dialog>
      <Dialog open={details} onClose={() => setDetails(false)} title="Detalles de la Licencia" size="lg">
        <Code boxed>ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2</Code>
        {Array.from({ length: 30 }, (_, line) => line + 1).map((line) => (
          <p key={line}>{`Línea ${line} de un diálogo que solo se lee.`}</p>
        ))}
      </Dialog>
      <ConfirmDialog
        open={asking}
        tone="danger"
        title="¿Descartar los cambios?"
        text="Lo que escribiste en este formulario se perderá."
        confirmLabel="Descartar"
        busyLabel="Descartando..."
        busy={busy}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setBusy(true);
          setTimeout(() => {
            setBusy(false);
            setAsking(false);
            setSize(null);
          }, 600);
        }}
      />
    </Card>
  );
}

function Gallery() {
  const [sidebarOpen, setSidebarOpen] = useState(true);
  const [search, setSearch] = useState('');
  return (
    <AppShell
      brand={{
        name: 'License Manager',
        mark: (
          <span className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-brand text-on-brand">
            <KeyRound aria-hidden className="size-4.5" />
          </span>
        ),
      }}
      items={navItems}
      renderLink={(item, props) => (
        <a href={`#${item.key}`} aria-current={item.key === 'clients' ? 'page' : undefined} {...props} />
      )}
      sidebarOpen={sidebarOpen}
      onSidebarOpenChange={setSidebarOpen}
      sidebarFooter={
        <SidebarProfile name="Usuario" detail="Administrador" avatar={<Avatar initials="U" />} />
      }
      search={
        <SearchInput
          label="Buscar"
          placeholder="Buscar..."
          value={search}
          onChange={setSearch}
          className="max-w-sm"
        />
      }
      actions={
        <>
          <IconButton
            label="Cambiar tema"
            icon={Moon}
            onClick={() => applyTheme(readTheme() === 'dark' ? 'light' : 'dark')}
          />
          <Popover trigger={<IconButton label="Notificaciones" icon={Bell} />} title="Notificaciones">
            <p className="p-2 text-muted">No hay notificaciones</p>
          </Popover>
          <Button variant="ghost" icon={LogOut} compact>
            Cerrar Sesión
          </Button>
        </>
      }
    >
      <div className="space-y-6">
        <PageHeader
          title="Clientes"
          subtitle="Gestiona los clientes del sistema"
          actions={
            <>
              <Button icon={Printer}>Imprimir</Button>
              <Button variant="primary" icon={Plus}>
                Nuevo Cliente
              </Button>
            </>
          }
        />
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
          <StatCard
            label="Licencias Activas"
            value="1,248"
            change={12.5}
            icon={FileKey}
            hint="vs. hace 30 días"
          />
          <StatCard label="Total Clientes" value="312" change={-3.2} icon={Users} hint="vs. hace 30 días" />
          <StatCard label="Licencias Trial" value="18" change={0} icon={Tags} />
          <SkeletonCard />
        </div>
        <Buttons />
        <Fields />
        <Feedback />
        <Tables />
        <Dialogs />
      </div>
    </AppShell>
  );
}

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <UiProvider>
        <Gallery />
      </UiProvider>
    </StrictMode>,
  );
}
