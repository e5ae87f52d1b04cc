import { buttons } from './es-buttons.ts';
/** Texts of the license file for a computer without network (PROG-02). */
export const fileTexts = {
  title: 'Archivo sin conexión',
  lead: 'Para un equipo sin red: tu programa muestra el id. del equipo y lee el archivo. Ocupa un lugar de la licencia.',
  machineId: 'Id. del equipo',
  machineName: 'Nombre del equipo',
  days: 'Días',
  daysHelp: 'No pasa del fin de la licencia y su gracia',
  until: 'Válido hasta',
  unknown: '—',
  summary: 'Resumen del archivo',
  submit: buttons.download,
  busy: buttons.preparing,
  done: 'Archivo descargado',
  failed: 'No se pudo emitir el archivo',
} as const;
