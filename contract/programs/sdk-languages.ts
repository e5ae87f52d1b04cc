/**
 * The languages of the SDKs, by the names of their folders in the developer kit. Six have a folder of that name in sdk/
 * (PROG-07); the others call the shared library of sdk/c (CODE-06).
 */

export interface SdkLanguage {
  label: string;
  /** What a program needs in addition to the SDK's file: 'Node 18 o un navegador'. */
  needs: string;
  /** The folder for the file, if it is not that of the program. */
  place?: string;
  /** The folder in sdk/, if it is not that of its name. */
  folder?: string;
  /** The files of the folder that a program needs; in the kit without their first subfolder. Default: all, with subfolders. */
  files?: readonly string[];
  /** The program calls the shared library, which stands beside it. */
  library?: true;
  /** Its tools read Windows-1252, and lines that end in CRLF. */
  ansi?: true;
  /** The example file in the kit's folder. The data of a software are written into it. */
  example: string;
  /**
   * The command that runs the example in its folder, or how it is run where no command can.
   * @param key the licence key
   */
  run: (key: string) => string;
  /** A sample with a window (CODE-07): the file into which the data of a software are written, its command, and what it needs. */
  window?: { file: string; run: string; needs: string };
  /** The command with another compiler: 'Con .NET'. */
  or?: { label: string; run: (key: string) => string };
}

const LIBRARIES =
  'La biblioteca compartida viene en el .zip, en «bibliotecas» (si falta, LEEME.md dice dónde pedirla)';
const WINDOWS_LIBRARY = `${LIBRARIES}: junto a tu programa va license_manager32.dll si es de 32 bits, o license_manager.dll si es de 64.`;

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
    window: {
      file: 'window.py',
      run: 'python3 window.py',
      needs: 'tkinter (en Debian, el paquete python3-tk)',
    },
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
    window: {
      file: 'Window.java',
      run: 'javac -encoding UTF-8 -d salida License.java Window.java && java -cp salida Window',
      needs: 'un JDK con ventanas (en Debian, el paquete default-jdk)',
    },
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
    or: { label: 'Con .NET', run: (key) => `dotnet run --project Example.csproj -- ${key}` },
  },
  c: {
    label: 'C',
    needs: 'un compilador de C',
    place: `${LIBRARIES}: liblicense_manager.so en Linux; en Windows, license_manager.dll, o license_manager32.dll para 32 bits.`,
    files: ['license_manager.h', 'cpp/example.c', 'README.md'],
    library: true,
    example: 'example.c',
    run: (key) =>
      `gcc -o ejemplo example.c -I. -L../bibliotecas -llicense_manager -Wl,-rpath,../bibliotecas && ./ejemplo ${key}`,
    or: {
      label: 'Para Windows, con mingw-w64',
      run: (key) =>
        `x86_64-w64-mingw32-gcc -o ../bibliotecas/ejemplo.exe example.c -I. ../bibliotecas/license_manager.dll && ../bibliotecas/ejemplo.exe ${key}`,
    },
  },
  cpp: {
    label: 'C++',
    needs: 'un compilador de C++11',
    place: `${LIBRARIES}: liblicense_manager.so en Linux; en Windows, license_manager.dll, o license_manager32.dll para 32 bits.`,
    folder: 'c',
    files: ['license_manager.h', 'cpp/license_manager.hpp', 'cpp/example.cpp', 'README.md'],
    library: true,
    example: 'example.cpp',
    run: (key) =>
      `g++ -o ejemplo example.cpp -I. -L../bibliotecas -llicense_manager -Wl,-rpath,../bibliotecas && ./ejemplo ${key}`,
  },
  delphi: {
    label: 'Delphi y Lazarus',
    needs: 'Delphi 7, Lazarus o Free Pascal 3',
    place: WINDOWS_LIBRARY,
    folder: 'c',
    files: [
      'pascal/LicenseManager.pas',
      'pascal/Example.dpr',
      'pascal/window/Window.lpi',
      'pascal/window/Window.lpr',
      'pascal/window/MainForm.pas',
      'pascal/window/MainForm.lfm',
      'README.md',
    ],
    library: true,
    example: 'Example.dpr',
    run: (key) => `fpc -Fl../bibliotecas -k-rpath=../bibliotecas -oejemplo Example.dpr && ./ejemplo ${key}`,
    window: {
      file: 'window/MainForm.pas',
      run: 'lazbuild window/Window.lpi && ./window/Window',
      needs: 'Lazarus 2.2',
    },
    or: {
      label: 'Con Delphi',
      run: (key) =>
        `Abre Example.dpr, compílalo, pon la biblioteca junto al programa y ejecuta: Example.exe ${key}`,
    },
  },
  foxpro: {
    label: 'Visual FoxPro',
    needs: 'Visual FoxPro 9',
    place: WINDOWS_LIBRARY,
    folder: 'c',
    files: ['foxpro/license.prg', 'foxpro/example.prg', 'README.md'],
    library: true,
    ansi: true,
    example: 'example.prg',
    run: (key) => `DO example WITH "${key}"`,
  },
  vb6: {
    label: 'Visual Basic 6 y VBA',
    needs: 'Visual Basic 6, u Office con VBA',
    place: WINDOWS_LIBRARY,
    folder: 'c',
    files: ['vb/LicenseManager.bas', 'vb/Example.bas', 'README.md'],
    library: true,
    ansi: true,
    example: 'Example.bas',
    run: (key) =>
      `Agrega los dos archivos .bas a un proyecto nuevo que empieza con Sub Main, ejecútalo y escribe: ${key}`,
  },
} as const satisfies Record<string, SdkLanguage>;

/** The files of the shared library, as `npm run sdk:libraries` makes them (sdk/c/build.sh). */
export const LIBRARY_FILES = [
  'license_manager.dll',
  'license_manager32.dll',
  'liblicense_manager.so',
] as const;

export type LanguageName = keyof typeof SDK_LANGUAGES;

export const LANGUAGE_NAMES = Object.keys(SDK_LANGUAGES) as [LanguageName, ...LanguageName[]];
export const isLanguage = (name: string | null): name is LanguageName =>
  name !== null && Object.hasOwn(SDK_LANGUAGES, name);
