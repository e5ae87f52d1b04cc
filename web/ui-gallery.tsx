/**
 * Every component of `web/ui` in every state, for visual checks and screenshots: `npm run dev`, then
 * /ui-gallery.html. The production build does not contain it.
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
import { Code } from './ui/code.tsx';
import { CopyButton } from './ui/copy-button.tsx';
import { FileDrop } from './ui/file-drop.tsx';
import { Floating } from './ui/floating.tsx';
import { Kbd } from './ui/kbd.tsx';
import { PageHeader } from './ui/page-header.tsx';
import { PageSizeSelect } from './ui/page-size-select.tsx';
import { Pagination } from './ui/pagination.tsx';
import { Popover } from './ui/popover.tsx';
import { ProgressBar } from './ui/progress-bar.tsx';
import { SearchInput } from './ui/search-input.tsx';
import { SidebarDrawer } from './ui/sidebar-drawer.tsx';
import { SkeletonCard } from './ui/skeleton.tsx';
import { StatCard } from './ui/stat-card.tsx';
import { EmptyState, ErrorState } from './ui/states.tsx';
import { Steps } from './ui/steps.tsx';
import { Table } from './ui/table.tsx';
import { applyTheme, readTheme } from './ui/theme.ts';
import { toasts } from './ui/toasts.ts';
import { UiProvider } from './ui/ui-provider.tsx';
import { Dialogs, Fields } from './ui-gallery.forms.tsx';
import { columns, people } from './ui-gallery.samples.tsx';

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
        <span className="flex gap-1">
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
        </span>
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
        noun={{ one: 'licencia', many: 'licencias' }}
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
      {[0, 2, 4].map((current) => (
        <Steps
          key={current}
          label="Pasos"
          names={['Archivo', 'Columnas', 'Revisión', 'Resultado']}
          current={current}
          doneWord="listo"
        />
      ))}
      <ProgressBar label="Avance" value={40} max={100} />
      <FileDrop
        label="Elegir archivo"
        invitation="Arrastra tu archivo aquí"
        hint="Hasta 20 MB."
        accept=".csv"
        onFile={({ name }) => toasts.success(name)}
      />
      <div className="grid gap-4 lg:grid-cols-2">
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
      drawer={SidebarDrawer}
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
        <Floating />
      </UiProvider>
    </StrictMode>,
  );
}
