import { localDay } from '../../../contract/base/time.ts';
import { SDK_LANGUAGES, type SdkLanguage } from '../../../contract/programs/sdk-languages.ts';
import type { Kit } from './kit.ts';

/** Stands in place of a real key if the kit contains none. */
const ANY_KEY = 'XXXXX-XXXXX-XXXXX-XXXXX-XXXXX';

/** Says where the shared library is to be had if the kit has none. */
const NO_LIBRARY = `## Biblioteca compartida

Los programas en C, C++, Delphi, Visual FoxPro y Visual Basic llaman una biblioteca, que esta carpeta no trae. Pídela a quien administra el servidor de licencias: cada versión la publica junto a ella (\`…-sdk-libraries.tar.gz\`, con sus sumas SHA-256), y la hace con \`npm run sdk:libraries\`. Si inicia el servidor con \`SDK_LIBRARIES\`, la próxima carpeta ya la trae. Ponla en una carpeta \`bibliotecas\`, junto a las de los lenguajes.`;

/**
 * LEEME.md of a kit: the developer's tasks, in order.
 * @param lacksLibrary a language calls the shared library, and the kit has none
 */
export function readme(
  { software, integration, languages, trial, timeZone }: Kit,
  lacksLibrary: boolean,
): string {
  const key = trial?.license_key ?? ANY_KEY;
  const of = languages.map((language): SdkLanguage & { inKit: string } => ({
    ...SDK_LANGUAGES[language],
    inKit: language,
  }));
  const sections = [
    `# ${software.name} ${software.version}: licencias para el programa`,
    'Esta carpeta tiene todo para que el programa compruebe su licencia. Sin conexión sigue con la última respuesta, que está firmada y nadie puede falsificar.',
    [
      `- Servidor: ${integration.server}`,
      `- Código del software: \`${integration.software}\``,
      `- Claves públicas: en \`claves/\` (la actual y la siguiente). Los ejemplos ya las incluyen.`,
    ].join('\n'),
    isLocal(integration.server)
      ? '**Atención:** esa dirección solo sirve en el equipo del servidor. Pide otra carpeta cuando el servidor tenga su dirección pública.'
      : null,
    '## Clave de prueba',
    trial === null
      ? `Esta carpeta no trae una clave. Pide una de prueba, y escríbela en lugar de \`${ANY_KEY}\`.`
      : [
          '```',
          key,
          '```',
          '',
          `Vale ${endOf(trial.expiry_date, timeZone)} en ${trial.max_installations} equipos. Es una licencia de verdad: se ve, se suspende y se libera en la consola como la de un cliente. No la publiques con el programa.`,
        ].join('\n'),
    lacksLibrary ? NO_LIBRARY : null,
    '## Pruébalo',
    ...of.map(({ label, inKit, needs, run, or, window }) =>
      [
        `### ${label}`,
        '',
        `Necesita ${needs}.`,
        '',
        '```',
        `cd ${inKit}`,
        run(key),
        '```',
        ...(or ? ['', `${or.label}:`, '', '```', or.run(key), '```'] : []),
        ...(window
          ? ['', `Con una ventana. Necesita además ${window.needs}.`, '', '```', window.run, '```']
          : []),
      ].join('\n'),
    ),
    'El ejemplo responde «Licencia válida» y ocupa un lugar de la clave en este equipo.',
    '## Ponlo en el programa',
    [
      '1. Copia el SDK al programa. Es corto, para que puedas leerlo.',
      ...of.flatMap(({ label, place }) => (place ? [`   - ${label}: ${place}`] : [])),
      '2. Copia del ejemplo lo que crea la licencia y la comprueba al iniciar. Las claves públicas van escritas en el programa: nunca las leas del servidor ni de un archivo que otra persona pueda cambiar.',
      '3. Prueba qué ve tu usuario: suspende la licencia de prueba en la consola, libera su equipo, desconecta la red.',
    ].join('\n'),
    'El README.md de cada carpeta, en inglés, explica todas las opciones y resultados del SDK. `sha256sum -c CHECKSUMS` dice si sus archivos llegaron como salieron.',
  ];
  return `${sections.filter((section) => section !== null).join('\n\n')}\n`;
}

const endOf = (end: string | null, timeZone: string) =>
  end === null ? 'sin vencimiento' : `hasta el ${localDay(end, timeZone).split('-').reverse().join('/')}`;

/** Whether an address leads to the developer's own computer. */
const isLocal = (server: string) => /^https?:\/\/(localhost|127\.|\[::1\])/.test(server);
