/** The file for a computer without network (PROG-02). */
export const fileTexts = {
  title: 'Archivo sin conexión',
  lead: 'Para una computadora sin red: tu programa muestra el id. de la computadora y lee el archivo. Ocupa una instalación de la licencia.',
  machineId: 'Id. de la computadora',
  machineName: 'Nombre de la computadora',
  days: 'Días',
  daysHelp: 'No pasa del fin de la licencia y su gracia',
  until: 'Válido hasta',
  unknown: '—',
  summary: 'Resumen del archivo',
  submit: 'Descargar',
  busy: 'Preparando...',
  done: 'Archivo descargado',
  failed: 'No se pudo emitir el archivo',
} as const;
