/** Texts of 'Copias de seguridad' in 'Sistema' (OPS-03). */
export const backupTexts = {
  title: 'Copias de seguridad',
  off: 'El programa no hace copias.',
  offHint:
    'Escribe en BACKUP_DIR una carpeta de otro disco: cada noche hace una, la prueba y guarda 7 diarias, 4 semanales y 6 mensuales. O programa npm run backup -- ARCHIVO.',
  lastTried: 'Última probada:',
  never: 'ninguna',
  next: 'Siguiente:',
  noneYet: 'Todavía no hay ninguna copia. La primera se hace al iniciar.',
  failed: 'La última copia no se hizo',
  notMade: 'No se hizo',
  sound: 'Probada',
  untried: 'Sin probar',
  bad: 'No sirve',
  triedAt: 'Probada:',
  elsewhere:
    'Lleva las copias a otro lugar, por ejemplo con restic o rclone. En el servidor, npm run restore las lista y las restaura.',
} as const;
