// Un programa con licencia: go run ./example XXXXX-XXXXX-XXXXX-XXXXX-XXXXX
// La clave se escribe una vez: después el programa la recuerda.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"example.com/license"
)

// true si vendes licencias flotantes: al cerrar, el programa devuelve su lugar para otro equipo.
const floating = false

// De Configuración › Firma: la clave actual y la siguiente.
var keys = []license.Key{
	{
		Kid: "OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI",
		X:   "yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk",
		Y:   "CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k",
	},
	{
		Kid: "P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI",
		X:   "DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI",
		Y:   "vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74",
	},
}

func main() {
	// La carpeta donde el sistema guarda los ajustes de los programas; si no la dice, la de trabajo.
	settings, err := os.UserConfigDir()
	if err != nil {
		settings = "."
	}
	folder := filepath.Join(settings, "punto-de-venta")
	keyFile := filepath.Join(folder, "clave.txt")
	program, err := license.New(license.Options{
		Server:     "https://licencias.example.com",
		Software:   "punto-de-venta",
		Keys:       keys,
		Store:      filepath.Join(folder, "licencia.json"),
		AppVersion: "1.0.0",
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err) // una opción mal escrita
		os.Exit(1)
	}
	key := readKey(keyFile)

	// Lo guardado responde al instante. El servidor se consulta en segundo plano, ahora y cada vez que el resultado lo pide;
	// cada cambio llega a este canal.
	changes := make(chan license.Result, 16)
	program.Start(context.Background(), key, func(result license.Result) { changes <- result })
	result := <-changes
	show(result)
	if result.OK {
		days := "sin límite"
		if result.DaysLeft != nil {
			days = fmt.Sprint(*result.DaysLeft)
		}
		fmt.Println("Licencia válida. Días restantes: " + days)
	}
	for sale := 0; sale < 1 && result.OK; sale++ {
		work(program)
		// Un cambio se atiende entre una venta y otra, nunca a la mitad.
		select {
		case result = <-changes:
			show(result)
		default:
		}
	}
	// Un programa que termina enseguida espera al servidor: si no, nunca sabría de una baja.
	for result.Pending {
		result = <-changes
		show(result)
	}
	if result.OK {
		saveKey(keyFile, key)
	}
	if result.OK && result.Offline {
		fmt.Println("Sin conexión con el servidor de licencias.")
	}

	program.Stop()
	if floating {
		program.Release(key)
	}
	if !result.OK {
		os.Exit(1)
	}
}

// show dice qué pasó y qué hacer; también avisa antes de que el programa deje de funcionar.
func show(result license.Result) {
	if text := result.Message("es"); text != "" {
		fmt.Fprintln(os.Stderr, text)
	}
}

// work es lo que hace el programa sin que nada lo corte, como una venta.
func work(program *license.License) {
	if program.Has("modulo_nomina") {
		fmt.Println("Con el módulo de nómina.")
	}
}

// readKey da la clave que se escribió, o la guardada: también con los espacios y la marca invisible de un editor de textos,
// que el SDK quita.
func readKey(keyFile string) string {
	if len(os.Args) > 1 {
		return os.Args[1]
	}
	text, _ := os.ReadFile(keyFile)
	return string(text)
}

// saveKey guarda la clave. Sin permiso o sin espacio el programa funciona igual.
func saveKey(keyFile, key string) {
	err := os.MkdirAll(filepath.Dir(keyFile), 0o755)
	if err == nil {
		err = os.WriteFile(keyFile, []byte(key), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "No se pudo guardar la clave: habrá que escribirla de nuevo la próxima vez.")
	}
}
