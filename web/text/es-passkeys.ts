import { PASSKEY_MESSAGES, PASSKEY_RESULTS } from '../../contract/people/passkey-messages.ts';
import { actions } from './es.ts';

/** Texts of passkeys (SIGN-01). They load with the buttons that need them. */

/** Why there is no passkey, where the browser says it. */
export const passkeyFailures = {
  unused: 'No se usó ninguna llave de acceso. Puedes intentarlo de nuevo.',
  known: 'Este dispositivo ya tiene una llave de acceso de tu cuenta.',
  unsupported:
    'Este navegador no pudo usar una llave de acceso. Prueba con otro navegador u otro dispositivo.',
} as const;

export const passkeySignInTexts = {
  enter: 'Entrar con llave de acceso',
  waiting: 'Esperando tu llave de acceso...',
  wrong:
    'Esta llave de acceso no abre ninguna cuenta, o pasaron más de 5 minutos. Inténtalo de nuevo o usa tu contraseña.',
  hint: 'Prueba con otra llave de acceso, o con tu usuario y contraseña.',
} as const;

export const passkeyTexts = {
  title: 'Llaves de acceso',
  lead: 'Entra sin contraseña, con tu huella, tu rostro o el PIN de tu dispositivo.',
  loading: 'Cargando tus llaves de acceso...',
  failed: 'Error al cargar tus llaves de acceso',
  notFound: PASSKEY_MESSAGES.notFound,
  none: 'Todavía no tienes ninguna. Con una entras más rápido, y nadie puede robarla con un sitio falso.',
  unsupported: 'Este navegador no admite llaves de acceso.',
  full: PASSKEY_MESSAGES.tooMany,
  begin: 'Añadir llave de acceso',
  name: 'Nombre de la llave',
  nameHelp: 'Para reconocerla: el dispositivo o el gestor de contraseñas en que la guardas.',
  create: 'Crear llave de acceso',
  creating: 'Esperando al navegador...',
  created: 'Llave de acceso añadida',
  createdText: (name: string) => `Desde ahora puedes entrar con «${name}».`,
  synced: 'Sincronizada',
  elsewhere: (host: string) => `Solo entra en ${host}`,
  since: (day: string) => `Creada el ${day}`,
  lastUse: 'Último uso:',
  unused: 'Sin usar todavía',
  rename: 'Cambiar nombre',
  /** The accessible names of the buttons, because there are several. */
  renameOf: (name: string) => `Cambiar nombre de ${name}`,
  removeOf: (name: string) => `Eliminar la llave ${name}`,
  renamed: 'Nombre cambiado',
  save: 'Guardar nombre',
  remove: actions.remove,
  removeTitle: (name: string) => `¿Eliminar la llave «${name}»?`,
  removeText:
    'Ya no podrás entrar con ella, y se cierran las demás sesiones que abrió. En tu dispositivo sigue guardada: bórrala también ahí.',
  removing: actions.removing,
  removed: PASSKEY_RESULTS.removed,
  removeFailed: 'Error al eliminar la llave de acceso',
} as const;
