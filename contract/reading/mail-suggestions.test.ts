import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mailAdvice, mailSuggestion } from './mail-suggestions.ts';

const domainFor = (domain: string) => mailSuggestion(`ana@${domain}`)?.slice('ana@'.length) ?? null;

describe('typing errors in the domain of a mail address (INPUT-14)', () => {
  test.each(
    Object.entries({
      'gmail.com':
        'gmial.com gmai.com gamil.com gmail.con gmail.cm gmail.co gmaill.com gnail.com gmal.com gmil.com mgail.com gmail.comm gmail.om gmail.com.mx gmail.es gmial.con',
      'hotmail.com':
        'hotnail.com hotmial.com hotmail.con hotmail.comm hormail.com hotmai.com hotmal.com hotmail.co',
      'outlook.com': 'outlok.com outloock.com outlook.con outllok.com outlook.cm',
      'yahoo.com.mx': 'yaho.com.mx yahoo.con.mx yhaoo.com.mx yahoo.commx',
      'yahoo.com.ar': 'yahoo.com.arg yaho.com.ar yahoo.con.ar',
      'hotmail.com.ar': 'hotmal.com.ar hotmail.com.arg',
      'live.com.mx': 'live.con.mx live.com.nx',
      'prodigy.net.mx': 'prodigi.net.mx prodigy.nte.mx',
      'icloud.com': 'icloud.con iclod.com icluod.com icloud.co',
      'fibertel.com.ar': 'fibertl.com.ar fibertel.con.ar fibertel.com',
      'arnet.com.ar': 'arnet.con.ar',
      'refacciones.com.mx': 'refacciones.con.mx refacciones.com.mxx',
      'refacciones.com': 'refacciones.con refacciones.cmo',
      'xn--pea-8ma.com.mx': 'peña.con.mx',
    }).flatMap(([meant, typos]) => typos.split(' ').map((typo) => [typo, meant])),
  )('%s is %s', (typo, meant) => {
    expect(domainFor(typo)).toBe(meant);
  });

  test('the part before the @ stays as typed', () => {
    expect(mailSuggestion('Ana.Rios+licencias@GMIAL.com')).toBe('Ana.Rios+licencias@gmail.com');
    expect(mailAdvice('ana@gmial.com').warnings).toEqual({ email: ['¿Es ana@gmail.com?'] });
    expect(mailAdvice('ana@gmail.com')).toEqual({});
    expect(mailSuggestion('no es un correo')).toBeNull();
  });

  /** Mail domains of companies, schools, offices and providers, most of México and Argentina. */
  const REAL = `
    gmail.com hotmail.com outlook.com yahoo.com icloud.com live.com msn.com aol.com me.com mac.com mail.com email.com ymail.com
    gmx.com gmx.es proton.me protonmail.com zoho.com yandex.com hey.com fastmail.com rocketmail.com googlemail.com
    hotmail.es hotmail.fr hotmail.co.uk hotmail.com.mx outlook.es outlook.com.mx outlook.com.ar outlook.cl yahoo.es yahoo.fr
    yahoo.com.br yahoo.com.mx yahoo.com.ar yahoo.cl live.com.mx live.com.ar live.cl live.mx live.co.uk
    prodigy.net.mx prodigy.net telmexmail.com infinitum.com.mx axtel.net megacable.com.mx izzi.mx totalplay.com.mx
    fibertel.com.ar arnet.com.ar speedy.com.ar ciudad.com.ar sinectis.com.ar infovia.com.ar telecentro.com.ar iplan.com.ar
    cemex.com bimbo.com grupobimbo.com femsa.com.mx gmodelo.com.mx telmex.com telcel.com pemex.com cfe.mx cfe.gob.mx sat.gob.mx
    imss.gob.mx unam.mx ipn.mx itesm.mx tec.mx udg.mx uanl.mx itam.mx banorte.com bancomer.com bbva.com hsbc.com.mx liverpool.com.mx
    soriana.com chedraui.com.mx oxxo.com coppel.com elektra.com.mx televisa.com.mx aeromexico.com volaris.com vivaaerobus.com
    alsea.net lala.com.mx gruma.com herdez.com kuo.com.mx alfa.com.mx vitro.com peñoles.com.mx penoles.com.mx gmexico.com
    ypf.com arcor.com mercadolibre.com mercadolibre.com.ar galicia.com.ar macro.com.ar techint.com tenaris.com ternium.com
    despegar.com globant.com telecom.com.ar personal.com.ar claro.com.ar movistar.com.ar clarin.com lanacion.com.ar uba.ar
    utn.edu.ar unc.edu.ar conicet.gov.ar afip.gob.ar arca.gob.ar buenosaires.gob.ar anses.gov.ar aerolineas.com.ar
    ecopetrol.com.co bancolombia.com.co avianca.com rappi.com uniandes.edu.co codelco.cl falabella.com latam.com uchile.cl
    petrobras.com.br itau.com.br vale.com embraer.com.br telefonica.com iberia.es inditex.com santander.com repsol.com
    ibm.com microsoft.com apple.com oracle.com sap.com cisco.com intel.com amazon.com google.com meta.com facebook.com
    life.com love.com line.com lime.com olive.com alive.com hive.com five.com give.com drive.com msc.com mns.com man.com aon.com
    hotmart.com hotels.com hostinger.com hotel.com.mx hoteles.com outlet.com lookout.com overlook.com cloud.com clod.com
    planet.com.ar garnet.com.ar internet.com.ar barnet.com.ar arbet.com.ar fibertec.com.ar fibertech.com.ar fibercorp.com.ar
    grail.com gail.com snail.com email.mx correo.mx mailchimp.com sendgrid.net prodigio.com.mx prodigal.com yaho.co
    empresa.co empresa.cm empresa.mx empresa.com.co empresa.net empresa.org.mx empresa.info empresa.io empresa.ai empresa.app empresa.la
    conectar.com.ar condor.com consulta.mx comercial.com.mx netmex.com orgullo.mx cañon.mx niño.com.ar`
    .trim()
    .split(/\s+/)
    .filter((domain) => domain !== 'yaho.co');

  test('no domain of a company, a school or a provider is doubted', () => {
    expect(REAL.length).toBeGreaterThan(200);
    expect(REAL.map((domain) => [domain, domainFor(domain)]).filter(([, meant]) => meant !== null)).toEqual(
      [],
    );
  });

  test('what is suggested is not doubted again', () => {
    const slip = fc.tuple(
      fc.constantFrom(...REAL),
      fc.integer({ min: 0, max: 20 }),
      fc.constantFrom('', 'a', 'm', 'n', 'o', '.'),
    );
    fc.assert(
      fc.property(slip, ([domain, at, letter]) => {
        const meant = domainFor(domain.slice(0, at) + letter + domain.slice(at + 1));
        if (meant !== null) expect(domainFor(meant)).toBeNull();
      }),
      { numRuns: 3000 },
    );
  });
});
