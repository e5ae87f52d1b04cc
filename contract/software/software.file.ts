import { LABELS } from '../base/labels.ts';
import { type FileColumns, fileOf, YES_OR_NO } from '../imports/import-cells.ts';
import { TRIAL_EMAIL_WORDS, words } from '../imports/import-words.ts';
import { TRIAL_EMAIL_LABELS } from '../programs/trial-terms.ts';
import { SOFTWARE_LABELS, type SoftwareField } from './software.fields.ts';
import type { Software } from './software.ts';

/** The columns of software files, in the order in which the import offers them. */
const COLUMNS: FileColumns<
  Software,
  SoftwareField | 'created_at' | 'updated_at' | 'id' | 'active_licenses_count'
> = {
  name: {
    form: 'line',
    required: true,
    key: true,
    aliases: words(`
      nombre, software, producto, programa, sistema, aplicacion, nombre del software, name, product,
      program, application`),
  },
  version: { form: 'line', required: true, key: true, aliases: words('version, ver, release') },
  description: {
    form: 'paragraph',
    aliases: words('descripcion, detalle, notas, observaciones, notes, description, details'),
  },
  is_active: {
    label: LABELS.is_active,
    form: 'flag',
    hint: YES_OR_NO,
    aliases: words('activo, activa, estado, vigente, is active, active, status'),
  },
  created_at: {
    form: 'day',
    type: 'moment',
    hint: 'Solo para software nuevo.',
    aliases: words('creado, fecha de creacion, created at, created'),
  },
  updated_at: {
    header: 'Actualizado',
    form: 'day',
    type: 'moment',
    hint: 'Solo para software nuevo.',
    aliases: words('actualizado, fecha de actualizacion, updated at, updated'),
  },
  trial_type: {
    header: 'Tipo de prueba',
    value: (software) => software.trial_type_name,
    form: 'line',
    hint: 'El nombre de un tipo de licencia que ya existe.',
    aliases: words('tipo de prueba, prueba, trial type'),
  },
  trial_email: {
    header: 'Correo de la prueba',
    form: 'choice',
    hint: 'No, Opcional u Obligatorio.',
    choices: TRIAL_EMAIL_WORDS,
    words: TRIAL_EMAIL_LABELS,
    aliases: words('correo de la prueba, trial email'),
  },
  trial_daily_limit: { form: 'count', aliases: words('pruebas por dia, trial daily limit') },
  is_public: {
    header: 'Público',
    form: 'flag',
    hint: 'Sí o No: si el catálogo público lo tiene.',
    aliases: words('publico, publica, en el catalogo, is public, public'),
  },
  id: { label: 'ID', type: 'count', computed: ({ id }) => id },
  active_licenses_count: {
    label: LABELS.active_licenses,
    type: 'count',
    computed: (software) => software.active_licenses_count,
  },
};

export const SOFTWARE_FILE = fileOf(SOFTWARE_LABELS, COLUMNS);
