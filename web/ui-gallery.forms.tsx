/** The gallery's inputs, pickers and dialogs. */
import { useState } from 'react';
import { Badge } from './ui/badge.tsx';
import { Button } from './ui/button.tsx';
import { Card } from './ui/card.tsx';
import { Checkbox, Switch } from './ui/checkbox.tsx';
import { Code } from './ui/code.tsx';
import { ConfirmDialog } from './ui/confirm-dialog.tsx';
import { Dialog, DialogSection } from './ui/dialog.tsx';
import type { DialogSize } from './ui/dialog-look.ts';
import { Field } from './ui/field.tsx';
import { LinedTextArea } from './ui/lined-text-area.tsx';
import { RadioChoices } from './ui/radio-choices.tsx';
import { SearchInput } from './ui/search-input.tsx';
import { SearchPicker } from './ui/search-picker.tsx';
import { Select } from './ui/select.tsx';
import { Tabs } from './ui/tabs.tsx';
import { TextButton } from './ui/text-button.tsx';
import { DateInput, NumberInput, TextArea, TextInput } from './ui/text-input.tsx';
import { toasts } from './ui/toasts.ts';
import { type Person, people } from './ui-gallery.samples.tsx';

export function Fields() {
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
        <Choices />
        <Choices error="Elige con qué valor quedarte" />
        <Field
          label="Sitio Web"
          help={
            <>
              Con http:// o https:// <TextButton>Usar https://www.empresa.mx</TextButton>
            </>
          }
        >
          <TextInput defaultValue="www.empresa.mx" />
        </Field>
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

function Choices({ error }: { error?: string }) {
  const [choice, setChoice] = useState<'mine' | 'theirs' | null>(error ? null : 'mine');
  return (
    <RadioChoices
      label="Ciudad"
      choices={[
        { value: 'mine', label: 'Conservar el mío', text: 'Cholula' },
        { value: 'theirs', label: 'Usar el actual', text: 'Atlixco' },
      ]}
      value={choice}
      onChange={setChoice}
      error={choice === null ? error : undefined}
    />
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

export function Dialogs() {
  const [size, setSize] = useState<DialogSize | null>(null);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [tab, setTab] = useState<'summary' | 'licenses' | 'installations'>('summary');
  const [details, setDetails] = useState(false);
  return (
    <Card title="Diálogos y pestañas">
      <div className="flex flex-wrap items-center gap-3">
        {(['sm', 'md', 'lg', 'xl', 'full'] as const).map((name) => (
          <Button key={name} onClick={() => setSize(name)}>{`Diálogo ${name}`}</Button>
        ))}
        <Button onClick={() => setDetails(true)}>Detalles</Button>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Preguntar
        </Button>
      </div>
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
            <Field label="Plantilla" wide error="línea 2: la variable «compra» no existe">
              <LinedTextArea
                readOnly
                text={'Hola, {{ client.name }}:\n{{ compra }}'}
                value={'Hola, {{ client.name }}:\n{{ compra }}'}
                wrongLine={2}
              />
            </Field>
          </DialogSection>
        ))}
      </Dialog>
      {details && (
        <Dialog open onClose={() => setDetails(false)} title="Detalles de la Licencia" size="lg">
          <Code boxed>ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2</Code>
          {Array.from({ length: 30 }, (_, line) => line + 1).map((line) => (
            <p key={line}>{`Línea ${line} de un diálogo que solo se lee.`}</p>
          ))}
        </Dialog>
      )}
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
