/** The texts of the dialog after a licence was created, which load with it. */
export const createdTexts = {
  key: 'Clave de Licencia',
  keepSafe: 'Guarda esta clave en un lugar seguro.',
  another: 'Crear otra',
  view: 'Ver licencia',
  daysRemaining: 'Días restantes',
  lead: 'La licencia ya está registrada y lista para usarse.',
  client: 'Cliente',
  software: 'Software',
  terms: 'Condiciones de venta',
  promotion: 'Promoción',
  company: 'Empresa',
  name: 'Nombre',
  clientEmail: 'Email',
  version: 'Versión',
  description: 'Descripción',
  type: 'Tipo',
  emailSent: 'Email enviado',
  emailFailed: 'No se pudo enviar el correo. Se reintentará automáticamente.',
  emailText: (email: string) =>
    `Se ha enviado un correo electrónico a ${email} con la información de la licencia.`,
} as const;
