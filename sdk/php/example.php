<?php
// Un programa con licencia: php example.php XXXXX-XXXXX-XXXXX-XXXXX-XXXXX
// La clave se escribe una vez: después el programa la recuerda. En un sitio web, checkCached reemplaza a check.

declare(strict_types=1);

require __DIR__ . '/License.php';

use LicenseManager\License;

/** true: las licencias son flotantes, y el lugar se devuelve al terminar. */
const FLOATING = false;

/** Donde cada sistema guarda la configuración de los programas de una persona. */
$settings = match (PHP_OS_FAMILY) {
    'Windows' => getenv('APPDATA'),
    'Darwin' => getenv('HOME') . '/Library/Application Support',
    default => getenv('XDG_CONFIG_HOME') ?: getenv('HOME') . '/.config',
};
$folder = "$settings/punto-de-venta";
$keyFile = "$folder/clave.txt";

$license = new License(
    server: 'https://licencias.example.com',
    software: 'punto-de-venta',
    // De Configuración › Firma: la clave actual y la siguiente.
    keys: [
        [
            'kid' => 'OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI',
            'x' => 'yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk',
            'y' => 'CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k',
        ],
        [
            'kid' => 'P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI',
            'x' => 'DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI',
            'y' => 'vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74',
        ],
    ],
    store: "$folder/licencia.json",
    appVersion: '1.0.0',
);

// La clave que se escribió al llamar al programa, o la que se escribió antes; sin los espacios y la marca invisible que
// deja un editor de textos.
$key = $argv[1] ?? trim((string) @file_get_contents($keyFile), " \n\r\t\v\0\u{FEFF}");

/** Guarda la clave. Sin permiso o sin espacio el programa funciona igual. */
function saveKey(string $keyFile, string $key): void
{
    $folder = dirname($keyFile);
    if ((!is_dir($folder) && !@mkdir($folder, 0700, true)) || @file_put_contents($keyFile, $key) !== strlen($key)) {
        fwrite(STDERR, "No se pudo guardar la clave: habrá que escribirla de nuevo la próxima vez.\n");
    }
}

/** Si un trabajo nuevo puede empezar. Se pregunta entre dos trabajos: el que ya empezó siempre termina. */
function mayBegin(License $license, string $key): bool
{
    static $next = 0;
    static $ok = false;
    // Una vez al inicio, y después cuando el resultado lo pide.
    if (hrtime()[0] >= $next) {
        $result = $license->check($key);
        [$ok, $next] = [$result->ok, hrtime()[0] + $result->nextCheck];
        // Qué pasó y qué hacer; también avisa antes de que el programa deje de funcionar.
        $text = $result->message('es');
        if ($text !== '') {
            fwrite(STDERR, "$text\n");
        }
        if ($ok) {
            $days = $result->daysLeft ?? 'sin límite';
            echo "Licencia válida. Días restantes: $days", $result->offline ? ' (sin conexión)' : '', "\n";
        }
    }
    return $ok;
}

/** El trabajo del programa. */
function work(License $license): void
{
    if ($license->has('modulo_nomina')) {
        echo "Con el módulo de nómina.\n";
    }
}

$ok = mayBegin($license, $key);
if ($ok) {
    work($license);
    saveKey($keyFile, $key);
}
if (FLOATING) {
    $license->release($key);
}
exit($ok ? 0 : 1);
