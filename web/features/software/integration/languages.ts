import csharpExample from '../../../../sdk/csharp/Example.cs?raw';
import csharpFile from '../../../../sdk/csharp/License.cs?url';
import goExample from '../../../../sdk/go/example/main.go?raw';
import goFile from '../../../../sdk/go/license.go?url';
import javaExample from '../../../../sdk/java/Example.java?raw';
import javaFile from '../../../../sdk/java/License.java?url';
import javascriptExample from '../../../../sdk/javascript/example.js?raw';
import javascriptTypes from '../../../../sdk/javascript/license.d.ts?url';
import javascriptFile from '../../../../sdk/javascript/license.js?url';
import phpExample from '../../../../sdk/php/example.php?raw';
import phpFile from '../../../../sdk/php/License.php?url';
import phpResult from '../../../../sdk/php/Result.php?url';
import pythonExample from '../../../../sdk/python/example.py?raw';
import pythonFile from '../../../../sdk/python/license.py?url';

/**
 * The SDKs: the file of each to download, and its example, which is run by the tests of the SDK and shown with the data
 * of a software in the place of its sample data.
 */

export interface Language {
  label: string;
  /** The address of the SDK's file. */
  url: string;
  file: string;
  /** A second file that belongs to it, with its address. */
  second?: { file: string; url: string };
  /** What a program needs besides: 'Node 18 o un navegador'. */
  needs: string;
  /** Where the file goes, if not beside the program. */
  place?: string;
  example: string;
}

export const LANGUAGES = {
  javascript: {
    label: 'JavaScript',
    url: javascriptFile,
    file: 'license.js',
    second: { file: 'license.d.ts', url: javascriptTypes },
    needs: 'Node 18 o un navegador',
    place: 'Con TypeScript agrega también sus tipos, al lado.',
    example: javascriptExample,
  },
  python: {
    label: 'Python',
    url: pythonFile,
    file: 'license.py',
    needs: 'Python 3.9 y el paquete «cryptography»',
    example: pythonExample,
  },
  php: {
    label: 'PHP',
    url: phpFile,
    file: 'License.php',
    second: { file: 'Result.php', url: phpResult },
    needs: 'PHP 8.1 con openssl',
    place: 'Pon los dos archivos en la misma carpeta.',
    example: phpExample,
  },
  java: {
    label: 'Java',
    url: javaFile,
    file: 'License.java',
    needs: 'Java 8',
    place: 'Ponlo en una carpeta «licensemanager» de tu código fuente, que es su paquete.',
    example: javaExample,
  },
  go: {
    label: 'Go',
    url: goFile,
    file: 'license.go',
    needs: 'Go 1.19',
    place: 'Ponlo en una carpeta «license» de tu módulo, y cambia «example.com/license» por su ruta.',
    example: goExample,
  },
  csharp: {
    label: 'C#',
    url: csharpFile,
    file: 'License.cs',
    needs: '.NET 6 o mono 6',
    example: csharpExample,
  },
} as const satisfies Record<string, Language>;

export type LanguageName = keyof typeof LANGUAGES;
