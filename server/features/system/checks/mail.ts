import { promises as dns } from 'node:dns';
import { knownSender } from '../../../mail-server.ts';
import { type Check, type CheckContext, failure, ok, warning } from './check.ts';
import { mailDomain } from './configuration.ts';

/** How mail leaves; unknown if the database, which may say so, does not answer. Another check reports that. */
async function transportOf({ transport }: CheckContext['mailer']) {
  try {
    return { transport: await transport(), isUnknown: false };
  } catch {
    return { transport: 'folder' as const, isUnknown: true };
  }
}

export const smtp: Check = {
  id: 'smtp',
  needs: 'nothing',
  callsOut: true,
  limitMs: 30_000,
  run: async ({ config, mailer }) => {
    const { transport, isUnknown } = await transportOf(mailer);
    if (isUnknown) return null;
    const ofUrl = config.smtpUrl !== null;
    if (transport === 'folder') {
      if (config.demo) return ok('Modo de demostración: los correos quedan en la carpeta outbox.');
      return warning(
        'Sin servidor de correo los correos no salen: quedan en la carpeta outbox de DATA_DIR.',
        'Configúralo en Configuración › Correos, o escribe en SMTP_URL uno como smtp://usuario:clave@host:587.',
      );
    }
    const problem = await mailer.problem();
    if (problem === null) return ok('Acepta la conexión y la contraseña.');
    return failure(
      `No acepta correo: ${problem.slice(0, 300)}`,
      `Revisa en ${ofUrl ? 'SMTP_URL' : 'Configuración › Correos'} el nombre, el puerto, el usuario y la contraseña.`,
    );
  },
};

/**
 * The TXT records of a name in the DNS; empty if there are none.
 * @throws when the DNS does not answer
 */
async function textsOf(name: string): Promise<string[]> {
  try {
    return (await dns.resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    throw error;
  }
}

/** A check of the sender's domain; null if no mail is sent, or the sender has no domain. */
const ofDomain =
  (look: (domain: string, context: CheckContext) => ReturnType<Check['run']>): Check['run'] =>
  async (context) => {
    const { transport } = await transportOf(context.mailer);
    // Read with the transport just now.
    const domain = mailDomain(knownSender(context.db, context.config));
    if (transport === 'folder' || !domain.includes('.')) return null;
    try {
      return await look(domain, context);
    } catch {
      return warning(`El DNS no respondió por ${domain}.`, 'Revisa el DNS de este equipo.');
    }
  };

export const spf: Check = {
  id: 'spf',
  needs: 'nothing',
  callsOut: true,
  run: ofDomain(async (domain) => {
    const found = (await textsOf(domain)).filter((text) => /^v=spf1( |$)/i.test(text));
    if (found.length > 1) {
      return failure(
        `${domain} tiene ${found.length} registros SPF, y así no vale ninguno.`,
        'Deja un solo registro TXT que empiece con v=spf1.',
      );
    }
    if (found.length === 0) {
      return warning(
        `${domain} no tiene SPF: los correos pueden llegar como no deseados.`,
        `Agrega en el DNS de ${domain} el registro TXT que indica tu proveedor de correo (v=spf1 …).`,
      );
    }
    if (/\+all\b/i.test(found[0]!) || /\sall\b/i.test(found[0]!)) {
      return warning(
        `El SPF de ${domain} deja que cualquiera envíe en su nombre (+all).`,
        'Termina el registro con -all o ~all.',
      );
    }
    return ok(`${domain} lo tiene.`);
  }),
};

export const dmarc: Check = {
  id: 'dmarc',
  needs: 'nothing',
  callsOut: true,
  run: ofDomain(async (domain) => {
    const labels = domain.split('.');
    // If a name has no record, the record of its parent domain counts.
    const names = [domain, labels.slice(-2).join('.'), labels.slice(-3).join('.')];
    for (const name of new Set(names)) {
      if ((await textsOf(`_dmarc.${name}`)).some((text) => /^v=DMARC1\b/i.test(text)))
        return ok(`${name} lo tiene.`);
    }
    return warning(
      `${domain} no tiene DMARC: los grandes servicios de correo lo piden.`,
      `Agrega en el DNS _dmarc.${domain} un registro TXT, por ejemplo: v=DMARC1; p=none; rua=mailto:tu-dirección`,
    );
  }),
};

export const dkim: Check = {
  id: 'dkim',
  needs: 'nothing',
  callsOut: true,
  run: ofDomain(async (domain, { config: { dkimSelector } }) => {
    if (dkimSelector === null) return null;
    const name = `${dkimSelector}._domainkey.${domain}`;
    const found = (await textsOf(name)).find((text) => /(^|;)\s*p=/i.test(text));
    if (found === undefined) {
      return failure(
        `${name} no existe: las firmas DKIM de tus correos no se pueden comprobar.`,
        'Agrega en el DNS la clave que indica tu proveedor de correo, o corrige DKIM_SELECTOR.',
      );
    }
    if (/(^|;)\s*p=\s*(;|$)/i.test(found)) {
      return failure(
        `${name} está revocada (p= sin clave).`,
        'Publica la clave actual, o corrige DKIM_SELECTOR.',
      );
    }
    return ok(`${name} tiene su clave.`);
  }),
};
