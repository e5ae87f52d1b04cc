<?php
// SPDX-License-Identifier: MIT
// What a check of the licence returns, with the texts for the program's user. License.php needs it.

declare(strict_types=1);

namespace LicenseManager;

/** What a check returns. `daysLeft` is null for a licence without an end; `nextCheck` are seconds. */
final class Result
{
    /** The texts of ../messages.json. */
    private const MESSAGES = [
        'es' => [
            'not_found' => 'La licencia no existe. Hay que revisar la clave, o pedirla de nuevo al proveedor.',
            'wrong_software' => 'La clave es de otro programa. Hay que escribir la clave de este, o pedirla al proveedor.',
            'inactive' => 'La licencia no está activa. Para activarla hay que comunicarse con el proveedor.',
            'suspended' => 'La licencia está suspendida. Para usarla de nuevo hay que comunicarse con el proveedor.',
            'cancelled' => 'La licencia está cancelada. Para seguir con el programa hay que comunicarse con el proveedor.',
            'expired' => 'La licencia venció. Para seguir con el programa hay que renovarla con el proveedor.',
            'expired_offline' => 'La licencia venció. Hay que renovarla con el proveedor; si ya se renovó, basta conectar el equipo a internet una vez.',
            'updates_ended' => 'La licencia no incluye esta versión del programa. Hay que instalar una versión anterior, o renovar las actualizaciones con el proveedor.',
            'installation_limit' => 'La licencia ya se usa en todos los equipos que permite. Hay que liberar un lugar en otro equipo, o pedir más lugares al proveedor.',
            'not_activated' => 'Este equipo no tiene lugar en la licencia. Hay que abrir el programa con conexión a internet, o comunicarse con el proveedor.',
            'no_connection' => 'No hay conexión con el servidor de licencias. Hay que conectar el equipo a internet e intentar de nuevo.',
            'unverified' => 'La respuesta no viene del servidor de licencias. Hay que revisar la red de este equipo, o comunicarse con el proveedor.',
            'offline_expired' => 'Terminó el tiempo para trabajar sin conexión. Hay que conectar el equipo a internet una vez, o pedir al proveedor un archivo de licencia nuevo.',
            'offline_expired_because' => 'Terminó el tiempo para trabajar sin conexión.',
            'clock_back' => 'El reloj de este equipo no es correcto. Hay que corregir la fecha y la hora, conectar el equipo a internet una vez, o pedir al proveedor un archivo de licencia nuevo.',
            'future' => 'La fecha de este equipo es anterior a la de la licencia. Hay que corregir la fecha y la hora del equipo.',
            'unknown' => 'La licencia no permite usar el programa ({reason}). Hay que comunicarse con el proveedor.',
            'detail_dns' => 'No se encuentra la dirección del servidor de licencias. Hay que revisar la conexión a internet de este equipo y su servidor DNS.',
            'detail_tls' => 'No se pudo abrir una conexión segura con el servidor de licencias. Hay que revisar la fecha y la hora de este equipo, y si un antivirus o un proxy vigila la conexión; si todo está bien, avisar al proveedor.',
            'detail_proxy' => 'El proxy de la red no deja llegar al servidor de licencias. Hay que revisar la configuración del proxy, o pedir ayuda a quien administra la red.',
            'detail_timeout' => 'El servidor de licencias no respondió a tiempo. Hay que intentar de nuevo en unos minutos, y revisar la conexión a internet si se repite.',
            'detail_unreachable' => 'No hay conexión con el servidor de licencias. Hay que revisar la conexión a internet y el cortafuegos de este equipo.',
            'detail_rate_limited' => 'El servidor de licencias recibió demasiadas preguntas. Hay que esperar un minuto e intentar de nuevo.',
            'detail_server_error' => 'El servidor de licencias tiene una falla o está en mantenimiento. Hay que intentar de nuevo en unos minutos, y avisar al proveedor si se repite.',
            'detail_not_the_server' => 'La respuesta no viene del servidor de licencias. Hay que iniciar sesión en la red si lo pide, y revisar el proxy o el antivirus de este equipo.',
            'detail_wrong_key' => 'El programa no reconoce la firma del servidor de licencias. Hay que instalar la última versión del programa, o avisar al proveedor.',
            'detail_key_signs' => 'La clave no existe. Las claves no llevan los signos 0, O, 1 ni I: hay que compararla letra por letra con la del correo.',
            'detail_file_missing' => 'No se encuentra el archivo de licencia. Hay que copiarlo a su lugar, o pedirlo al proveedor.',
            'detail_file_unreadable' => 'El archivo de licencia no se puede leer. Hay que revisar los permisos del archivo y de su carpeta.',
            'detail_file_damaged' => 'El archivo de licencia está dañado o incompleto. Hay que copiarlo otra vez, o pedirlo de nuevo al proveedor.',
            'detail_file_other_machine' => 'El archivo de licencia es de otro equipo. Hay que pedir al proveedor uno para este equipo.',
            'detail_file_other_software' => 'El archivo de licencia es de otro programa. Hay que pedir al proveedor el de este programa.',
            'detail_file_other_key' => 'El archivo de licencia es de otra clave. Hay que escribir la clave del archivo, o pedir al proveedor uno para esta clave.',
            'store_denied' => 'El programa no tiene permiso para guardar la licencia en este equipo, y sin eso no funciona sin conexión. Hay que revisar los permisos de su carpeta de datos.',
            'store_full' => 'El disco está lleno: el programa no puede guardar la licencia, y sin eso no funciona sin conexión. Hay que liberar espacio.',
            'store_failed' => 'El programa no puede guardar la licencia en este equipo, y sin eso no funciona sin conexión. Hay que revisar su carpeta de datos.',
            'offline_ends' => 'El programa trabaja sin conexión y dejará de funcionar en {hours} h. Antes hay que conectar el equipo a internet, o pedir al proveedor un archivo de licencia nuevo.',
            'offline_ends_because' => 'El programa trabaja sin conexión y dejará de funcionar en {hours} h.',
            'grace' => 'La licencia venció y el programa dejará de funcionar pronto. Hay que renovarla con el proveedor.',
            'grace_days' => 'La licencia venció y el programa dejará de funcionar en {days} días. Hay que renovarla con el proveedor.',
        ],
        'en' => [
            'not_found' => 'The licence does not exist. Check the key, or ask the vendor for it again.',
            'wrong_software' => 'The key is for another program. Enter the key of this one, or ask the vendor for it.',
            'inactive' => 'The licence is not active. Contact the vendor to have it activated.',
            'suspended' => 'The licence is suspended. Contact the vendor to use it again.',
            'cancelled' => 'The licence is cancelled. Contact the vendor to go on with the program.',
            'expired' => 'The licence has expired. Renew it with the vendor to go on with the program.',
            'expired_offline' => 'The licence has expired. Renew it with the vendor; if it was renewed, connect the computer to the internet once.',
            'updates_ended' => 'The licence does not include this version of the program. Install an earlier version, or renew the updates with the vendor.',
            'installation_limit' => 'The licence is in use on all the computers that it allows. Free a seat on another computer, or ask the vendor for more.',
            'not_activated' => 'This computer has no seat in the licence. Open the program with an internet connection, or contact the vendor.',
            'no_connection' => 'There is no connection to the licence server. Connect the computer to the internet and try again.',
            'unverified' => 'The answer does not come from the licence server. Check the network of this computer, or contact the vendor.',
            'offline_expired' => 'The time for working without a connection is over. Connect the computer to the internet once, or ask the vendor for a new licence file.',
            'offline_expired_because' => 'The time for working without a connection is over.',
            'clock_back' => 'The clock of this computer is not right. Set the date and the time, connect the computer to the internet once, or ask the vendor for a new licence file.',
            'future' => 'The date of this computer is earlier than that of the licence. Set the date and the time of the computer.',
            'unknown' => 'The licence does not allow the use of the program ({reason}). Contact the vendor.',
            'detail_dns' => 'The address of the licence server cannot be found. Check the internet connection of this computer and its DNS server.',
            'detail_tls' => 'No secure connection to the licence server could be opened. Check the date and the time of this computer, and whether an antivirus or a proxy watches the connection; if all is well, tell the vendor.',
            'detail_proxy' => 'The proxy of the network does not let the program reach the licence server. Check the settings of the proxy, or ask whoever runs the network.',
            'detail_timeout' => 'The licence server did not answer in time. Try again in a few minutes, and check the internet connection if it happens again.',
            'detail_unreachable' => 'There is no connection to the licence server. Check the internet connection and the firewall of this computer.',
            'detail_rate_limited' => 'The licence server was asked too often. Wait a minute and try again.',
            'detail_server_error' => 'The licence server has a fault or is under maintenance. Try again in a few minutes, and tell the vendor if it happens again.',
            'detail_not_the_server' => 'The answer does not come from the licence server. Sign in to the network if it asks for that, and check the proxy or the antivirus of this computer.',
            'detail_wrong_key' => 'The program does not know the signature of the licence server. Install the latest version of the program, or tell the vendor.',
            'detail_key_signs' => 'The key does not exist. Keys have no 0, O, 1 or I: compare it letter by letter with the one in the mail.',
            'detail_file_missing' => 'The licence file cannot be found. Copy it to its place, or ask the vendor for it.',
            'detail_file_unreadable' => 'The licence file cannot be read. Check the permissions of the file and of its folder.',
            'detail_file_damaged' => 'The licence file is damaged or not complete. Copy it once more, or ask the vendor for it again.',
            'detail_file_other_machine' => 'The licence file is for another computer. Ask the vendor for one for this computer.',
            'detail_file_other_software' => 'The licence file is for another program. Ask the vendor for the one of this program.',
            'detail_file_other_key' => 'The licence file is for another key. Enter the key of the file, or ask the vendor for one for this key.',
            'store_denied' => 'The program may not save the licence on this computer, and without that it does not work without a connection. Check the permissions of its data folder.',
            'store_full' => 'The disk is full: the program cannot save the licence, and without that it does not work without a connection. Free some space.',
            'store_failed' => 'The program cannot save the licence on this computer, and without that it does not work without a connection. Check its data folder.',
            'offline_ends' => 'The program works without a connection and will stop in {hours} h. Before that connect the computer to the internet, or ask the vendor for a new licence file.',
            'offline_ends_because' => 'The program works without a connection and will stop in {hours} h.',
            'grace' => 'The licence has expired and the program will stop soon. Renew it with the vendor.',
            'grace_days' => 'The licence has expired and the program will stop in {days} days. Renew it with the vendor.',
        ],
    ];
    private const DAY = 24 * 60 * 60;

    /**
     * @param array<string, bool|int|string> $features
     * @param list<array{code: string, amount: int, reason: string}> $refusedUses
     */
    public function __construct(
        public readonly bool $ok,
        public readonly ?string $reason,
        public readonly bool $offline,
        public readonly ?int $daysLeft = 0,
        public readonly array $features = [],
        public readonly ?\DateTimeImmutable $expiresAt = null,
        public readonly bool $inGrace = false,
        public readonly ?\DateTimeImmutable $graceUntil = null,
        public readonly ?\DateTimeImmutable $offlineUntil = null,
        public readonly ?string $type = null,
        public readonly ?string $status = null,
        public readonly int $nextCheck = 3600,
        public readonly ?string $updatesUntil = null,
        public readonly ?string $detail = null,
        public readonly ?string $storeError = null,
        /** When a floating seat is free, if nobody gives one back before; only of installation_limit. */
        public readonly ?\DateTimeImmutable $seatFreeAt = null,
        /** Uses that the server refused since the last result. */
        public readonly array $refusedUses = [],
    ) {
    }

    /**
     * What the user of the program reads: what happened and what to do, in Spanish ('es') or English ('en'). Empty where
     * there is nothing to say.
     */
    public function message(string $language = 'es'): string
    {
        $texts = self::MESSAGES[$language === 'en' ? 'en' : 'es'];
        [$names, $left] = $this->ok ? $this->warnings() : [$this->refusals($texts), []];
        $found = array_filter(array_map(fn (string $name) => $texts[$name] ?? '', $names));
        return strtr(implode(' ', $found), ['{reason}' => $this->reason ?? ''] + $left);
    }

    /** The names of the texts for a result that is ok, and how much is left. */
    private function warnings(): array
    {
        $left = fn (?\DateTimeImmutable $instant) => $instant ? (float) $instant->format('U.u') - microtime(true) : 0;
        if ($this->inGrace) {
            $days = (int) floor($left($this->graceUntil) / self::DAY);
            return [[$days >= 2 ? 'grace_days' : 'grace'], ['{days}' => $days]];
        }
        $seconds = $left($this->offlineUntil);
        if ($this->offline && $seconds < 2 * self::DAY) {
            $names = $this->detail ? ['offline_ends_because', "detail_$this->detail"] : ['offline_ends'];
            return [$names, ['{hours}' => max(1, (int) ceil($seconds / 3600))]];
        }
        return [["store_$this->storeError"], []];
    }

    /** The names of the texts for a result that is not ok. */
    private function refusals(array $texts): array
    {
        $because = isset($texts["detail_$this->detail"]) ? "detail_$this->detail" : null;
        $store = "store_$this->storeError";
        $isOfKey = in_array($this->detail, ['wrong_key', 'key_signs'], true) || str_starts_with($this->detail ?? '', 'file_');
        return match (true) {
            $this->reason === 'offline_expired' && $because !== null => ['offline_expired_because', $because, $store],
            $this->reason === 'offline_expired' => [$this->reason, $store],
            $this->reason === 'no_connection', $this->reason === 'unverified' => [$because ?? $this->reason, $store],
            $this->reason === 'not_found' && $isOfKey && $because !== null => [$because],
            $this->reason === 'expired' && $this->offline => ['expired_offline'],
            default => [isset($texts[$this->reason]) ? $this->reason : 'unknown'],
        };
    }
}
