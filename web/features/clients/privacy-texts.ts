import { DETAIL_LABELS } from '../../../contract/base/detail-labels.ts';
/** Texts of the privacy actions in the details of a client. */
export const privacyTexts = {
  title: 'Datos personales',
  download: 'Descargar datos',
  downloading: 'Descargando...',
  downloadFailed: 'Error al descargar los datos del cliente',
  erase: 'Borrar datos personales',
  erasing: 'Borrando...',
  erased: 'Los datos personales se borraron',
  eraseTitle: '¿Borrar los datos personales?',
  goes: 'Se borran su nombre, email, teléfonos, dirección, datos fiscales, notas y equipos, también de su historial, de los correos y de los archivos importados. No se puede deshacer.',
  stays: 'Quedan sus licencias con precios y fechas, para que las cifras y los reportes no cambien.',
  copies: 'Las copias de seguridad los conservan hasta que se reemplazan.',
  reason: DETAIL_LABELS.reason,
} as const;
