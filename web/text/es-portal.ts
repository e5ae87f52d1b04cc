import { buttons } from './es-buttons.ts';
/**
 * Texts of the client portal, in formal Spanish (*usted*), for people without technical knowledge. A computer is
 * 'equipo', a seat is 'lugar'.
 */

export const portalTexts = {
  title: 'Mis licencias',
  loading: 'Cargando...',
  retry: 'Reintentar',
  back: 'Volver',
  failedTitle: 'No pudimos mostrar esta página',
  failed: 'Algo falló de nuestro lado. Intente de nuevo en unos minutos.',
  tooMany: 'Demasiados intentos. Espere unos minutos e intente de nuevo.',
  noAnswer: 'No hay conexión. Intente de nuevo cuando vuelva.',
  offline: 'Sin conexión',
  offlineText: 'Esta página se pondrá al día sola cuando vuelva.',
  offTitle: 'Esta página no está disponible por ahora',
  offText: 'Si necesita ayuda con sus licencias, escriba a quien se las vendió.',
  help: '¿Necesita ayuda? Escriba a',
} as const;

export const portalSignInTexts = {
  title: 'Entre a sus licencias',
  lead: 'Escriba el correo con el que compró. Le enviaremos un código para entrar: no necesita contraseña.',
  ended: 'Su sesión terminó por seguridad. Entre de nuevo para continuar donde estaba.',
  signedOut: 'Cerró su sesión.',
  email: 'Su correo electrónico',
  emailRequired: 'Escriba su correo electrónico',
  ask: 'Enviarme el código',
  asking: buttons.sending,
  codeTitle: 'Revise su correo',
  codeLead: (email: string) =>
    `Si ${email} es el correo de un cliente, en un momento le llegará un código de seis números.`,
  code: 'Código de seis números',
  codeForm: 'El código tiene seis números',
  enter: 'Entrar',
  entering: 'Entrando...',
  wrong: 'El código no es correcto, ya se usó o venció. Revíselo, o pida otro.',
  late: '¿No llega? Revise la carpeta de correo no deseado. El código sirve durante 10 minutos.',
  again: 'Pedir otro código',
  sentAgain: 'Le enviamos otro código. Los anteriores ya no sirven.',
  otherEmail: 'Usar otro correo',
  tooMany: 'Ha pedido muchos códigos. Espere una hora e intente de nuevo.',
} as const;

export const portalLinkTexts = {
  title: 'Un paso más',
  mail: 'Pulse el botón para entrar a sus licencias.',
  program: 'Pulse el botón para continuar.',
  enter: 'Entrar',
  entering: 'Entrando...',
  deadTitle: 'Este enlace no sirve aquí',
  deadMail:
    'Quizá ya se usó, venció, o se abrió en otro navegador. Si pidió el código en otra pantalla, escríbalo allí: son los seis números que vienen en el mismo correo.',
  deadProgram: 'Ya se usó o venció. Vuelva a abrirlo desde su programa, o entre con su correo.',
  withEmail: 'Entrar con mi correo',
} as const;

/** After the code, for an address that is a contact of several clients. */
export const portalChoiceTexts = {
  title: '¿A nombre de quién entra?',
  lead: 'Su correo es contacto de varios clientes. Elija las licencias que quiere ver.',
  over: 'Esa opción ya no está disponible. Elija otra, o pida otro código.',
  again: 'Pedir otro código',
} as const;
