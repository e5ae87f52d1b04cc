import {
  type LanguageName,
  SDK_LANGUAGES,
  type SdkLanguage,
} from '../../../../contract/programs/sdk-languages.ts';
import cExample from '../../../../sdk/c/cpp/example.c?raw';
import cppExample from '../../../../sdk/c/cpp/example.cpp?raw';
import cppFile from '../../../../sdk/c/cpp/license_manager.hpp?url';
import foxproExample from '../../../../sdk/c/foxpro/example.prg?raw';
import foxproFile from '../../../../sdk/c/foxpro/license.prg?raw';
import cFile from '../../../../sdk/c/license_manager.h?url';
import delphiExample from '../../../../sdk/c/pascal/Example.dpr?raw';
import delphiFile from '../../../../sdk/c/pascal/LicenseManager.pas?url';
import vbExample from '../../../../sdk/c/vb/Example.bas?raw';
import vbFile from '../../../../sdk/c/vb/LicenseManager.bas?raw';
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
 * The SDKs: the file of each to download, and its example. The example is run by the tests of the SDK, and shown with
 * the data of a software instead of the sample data.
 */

export interface Language extends SdkLanguage {
  /** The URL of the SDK's file. */
  url: string;
  file: string;
  /** A second file of the SDK, with its URL. */
  second?: { file: string; url: string };
  /** The text of the example. */
  code: string;
}

/** A file whose tools read no line that ends in LF alone. Its signs are ASCII. */
const withCrlf = (text: string) =>
  `data:text/plain;charset=us-ascii,${encodeURIComponent(text.replaceAll(/\r?\n/g, '\r\n'))}`;

export const LANGUAGES: Record<LanguageName, Language> = {
  javascript: {
    ...SDK_LANGUAGES.javascript,
    url: javascriptFile,
    file: 'license.js',
    second: { file: 'license.d.ts', url: javascriptTypes },
    code: javascriptExample,
  },
  python: { ...SDK_LANGUAGES.python, url: pythonFile, file: 'license.py', code: pythonExample },
  php: {
    ...SDK_LANGUAGES.php,
    url: phpFile,
    file: 'License.php',
    second: { file: 'Result.php', url: phpResult },
    code: phpExample,
  },
  java: { ...SDK_LANGUAGES.java, url: javaFile, file: 'License.java', code: javaExample },
  go: { ...SDK_LANGUAGES.go, url: goFile, file: 'license.go', code: goExample },
  csharp: { ...SDK_LANGUAGES.csharp, url: csharpFile, file: 'License.cs', code: csharpExample },
  c: { ...SDK_LANGUAGES.c, url: cFile, file: 'license_manager.h', code: cExample },
  cpp: {
    ...SDK_LANGUAGES.cpp,
    url: cppFile,
    file: 'license_manager.hpp',
    second: { file: 'license_manager.h', url: cFile },
    code: cppExample,
  },
  delphi: { ...SDK_LANGUAGES.delphi, url: delphiFile, file: 'LicenseManager.pas', code: delphiExample },
  foxpro: { ...SDK_LANGUAGES.foxpro, url: withCrlf(foxproFile), file: 'license.prg', code: foxproExample },
  vb6: { ...SDK_LANGUAGES.vb6, url: withCrlf(vbFile), file: 'LicenseManager.bas', code: vbExample },
};
