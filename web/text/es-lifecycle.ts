import type { LicenseRow } from '../../contract/licenses/licenses.ts';
import type { BulkLifeAction, LicenseAction } from '../../contract/licenses/verbs/index.ts';
import type { BulkActionTexts } from './es-bulk.ts';
import { EXTENSION_EFFECT } from './es-days.ts';
import { counted, ending } from './es-lists.ts';
import { formatNumber } from './format.ts';

interface ActionTexts {
  /** The label in the menu 'Más acciones'. */
  label: string;
  /** The title of the dialog; it begins with the action's verb. */
  title: string;
  /** Explains the effect before the action is done. */
  effect: string;
  submit: string;
  busy: string;
  done: string;
  failed: string;
  /** Texts about the people affected, for an action that stops a licence or its key; null for other actions. */
  whom: WhomTexts | null;
}

type Hit = Pick<LicenseRow, 'client_name' | 'software_name' | 'software_version' | 'current_installations'>;

interface WhomTexts {
  tone: 'warning' | 'critical';
  title: string;
  /** Names the client, the product and the machines. */
  text: (license: Hit) => string;
}

const product = ({ software_name, software_version }: Hit) => `${software_name} ${software_version}`;

/** How many machines currently use one licence, or several. */
export function usersNow(machines: number, licenses: number): string {
  const them = licenses === 1 ? 'la' : 'las';
  if (machines === 0) return `Ningún equipo ${them} usa todavía.`;
  return machines === 1 ? `Hoy ${them} usa 1 equipo.` : `Hoy ${them} usan ${formatNumber(machines)} equipos.`;
}
const users = ({ current_installations: machines }: Hit) => usersNow(machines, 1);

type TextsOf<Action> = ActionTexts &
  // For an action that is also a bulk action: the texts for many licences.
  (Action extends BulkLifeAction ? { many: BulkActionTexts } : unknown);

/** Texts of each action on a licence (LIFE-05). */
export const LICENSE_ACTION_TEXTS: { [Action in LicenseAction]: TextsOf<Action> } = {
  renew: {
    label: 'Renovar',
    title: 'Renovar la licencia',
    effect:
      'Se agrega un periodo a la licencia, con el precio y los días de su tipo. Puedes cambiarlos aquí.',
    submit: 'Renovar',
    busy: 'Renovando...',
    done: 'Licencia renovada',
    failed: 'No se pudo renovar la licencia',
    whom: null,
    many: {
      label: 'Renovar',
      title: (what) => `Renovar ${what}`,
      question: () =>
        'Se agrega un periodo a cada licencia. Lo que dejes en blanco sale de su tipo de licencia.',
      confirm: 'Renovar',
      busy: 'Renovando...',
      done: (count, noun) => `${counted(count, noun)} renovad${ending(count, noun)}`,
    },
  },
  extend: {
    label: 'Prórroga',
    title: 'Prórroga de la licencia',
    effect: EXTENSION_EFFECT,
    submit: 'Dar prórroga',
    busy: 'Guardando...',
    done: 'Prórroga concedida',
    failed: 'No se pudo dar la prórroga',
    whom: null,
  },
  suspend: {
    label: 'Suspender',
    title: 'Suspender la licencia',
    effect:
      'El programa deja de aceptarla hasta que la reactives. Sus equipos conservan su lugar y su plazo sigue corriendo.',
    submit: 'Suspender',
    busy: 'Suspendiendo...',
    done: 'Licencia suspendida',
    failed: 'No se pudo suspender la licencia',
    whom: {
      tone: 'warning',
      title: 'A quién afecta',
      text: (license) =>
        `${license.client_name} no podrá usar ${product(license)} hasta que reactives la licencia. ${users(license)}`,
    },
    many: {
      label: 'Suspender',
      title: (what) => `Suspender ${what}`,
      question: () =>
        'Los programas dejan de aceptarlas hasta que las reactives. Los equipos conservan su lugar y el plazo sigue corriendo.',
      confirm: 'Suspender',
      busy: 'Suspendiendo...',
      done: (count, noun) => `${counted(count, noun)} suspendid${ending(count, noun)}`,
    },
  },
  reinstate: {
    label: 'Reactivar',
    title: 'Reactivar la licencia',
    effect: 'La licencia vuelve al estado que tenía antes de la suspensión.',
    submit: 'Reactivar',
    busy: 'Reactivando...',
    done: 'Licencia reactivada',
    failed: 'No se pudo reactivar la licencia',
    whom: null,
    many: {
      label: 'Reactivar',
      title: (what) => `Reactivar ${what}`,
      question: () => 'Cada licencia vuelve al estado que tenía antes de la suspensión.',
      confirm: 'Reactivar',
      busy: 'Reactivando...',
      done: (count, noun) => `${counted(count, noun)} reactivad${ending(count, noun)}`,
    },
  },
  cancel: {
    label: 'Cancelar licencia',
    title: 'Cancelar licencia',
    effect:
      'El programa deja de aceptarla para siempre y no admite más acciones. Sus ventas dejan de contar en los ingresos.',
    submit: 'Cancelar licencia',
    busy: 'Cancelando...',
    done: 'Licencia cancelada',
    failed: 'No se pudo cancelar la licencia',
    whom: {
      tone: 'critical',
      title: 'No se puede deshacer',
      text: (license) =>
        `${license.client_name} pierde su licencia de ${product(license)}. ${users(license)}`,
    },
    many: {
      label: 'Cancelar licencia',
      title: (what) => `Cancelar ${what}`,
      question: () =>
        'Los programas dejan de aceptarlas para siempre y no admiten más acciones. Sus ventas dejan de contar en los ingresos.',
      confirm: 'Cancelar licencias',
      busy: 'Cancelando...',
      done: (count, noun) => `${counted(count, noun)} cancelad${ending(count, noun)}`,
    },
  },
  transfer: {
    label: 'Transferir',
    title: 'Transferir la licencia',
    effect: 'La licencia pasa a otro cliente activo. La clave es la misma.',
    submit: 'Transferir',
    busy: 'Transfiriendo...',
    done: 'Licencia transferida',
    failed: 'No se pudo transferir la licencia',
    whom: null,
  },
  replace_key: {
    label: 'Cambiar clave',
    title: 'Cambiar clave de la licencia',
    effect:
      'La clave anterior deja de servir en ese momento. Los equipos activados conservan su lugar; los archivos sin conexión se emiten de nuevo.',
    submit: 'Cambiar clave',
    busy: 'Cambiando...',
    done: 'Clave cambiada',
    failed: 'No se pudo cambiar la clave',
    whom: {
      tone: 'critical',
      title: 'No se puede deshacer',
      text: (license) =>
        `${license.client_name} necesita la clave nueva para seguir usando ${product(license)}. ${users(license)}`,
    },
  },
};

/** Further items in the menu of a licence. */
export const licenseMenuTexts = { file: 'Archivo sin conexión', certificate: 'Constancia' } as const;
