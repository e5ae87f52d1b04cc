/** The languages of the SDKs, by the names of their folders in sdk/ (PROG-07). */

export interface SdkLanguage {
  label: string;
  /** What a program needs in addition to the SDK's file: 'Node 18 o un navegador'. */
  needs: string;
  /** The folder for the file, if it is not that of the program. */
  place?: string;
  /** The example file in the folder. The data of a software are written into it. */
  example: string;
  /**
   * The command that runs the example in its folder.
   * @param key the licence key
   */
  run: (key: string) => string;
  /** The command with another compiler. */
  orRun?: (key: string) => string;
}

export const SDK_LANGUAGES = {
  javascript: {
    label: 'JavaScript',
    needs: 'Node 18 o un navegador',
    place: 'Con TypeScript agrega también sus tipos, al lado.',
    example: 'example.js',
    run: (key) => `node example.js ${key}`,
  },
  python: {
    label: 'Python',
    needs: 'Python 3.9 y el paquete «cryptography»',
    example: 'example.py',
    run: (key) => `python3 example.py ${key}`,
  },
  php: {
    label: 'PHP',
    needs: 'PHP 8.1 con openssl',
    place: 'Pon los dos archivos en la misma carpeta.',
    example: 'example.php',
    run: (key) => `php example.php ${key}`,
  },
  java: {
    label: 'Java',
    needs: 'Java 8',
    place: 'Ponlo en una carpeta «licensemanager» de tu código fuente, que es su paquete.',
    example: 'Example.java',
    run: (key) =>
      `javac -encoding UTF-8 -d salida License.java Example.java && java -cp salida Example ${key}`,
  },
  go: {
    label: 'Go',
    needs: 'Go 1.19',
    place: 'Ponlo en una carpeta «license» de tu módulo, y cambia «example.com/license» por su ruta.',
    example: 'example/main.go',
    run: (key) => `go run ./example ${key}`,
  },
  csharp: {
    label: 'C#',
    needs: '.NET 6 o mono 6',
    example: 'Example.cs',
    run: (key) =>
      `mcs -out:ejemplo.exe -r:System.Net.Http -r:System.Numerics License.cs Example.cs && mono ejemplo.exe ${key}`,
    orRun: (key) => `dotnet run --project Example.csproj -- ${key}`,
  },
} as const satisfies Record<string, SdkLanguage>;

export type LanguageName = keyof typeof SDK_LANGUAGES;

export const LANGUAGE_NAMES = Object.keys(SDK_LANGUAGES) as [LanguageName, ...LanguageName[]];
export const isLanguage = (name: string | null): name is LanguageName =>
  name !== null && Object.hasOwn(SDK_LANGUAGES, name);
