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
	// La carpeta donde el sistema guarda los ajustes de los programas.
	settings, err := os.UserConfigDir()
	stopAt(err)
	folder := filepath.Join(settings, "punto-de-venta")
	program, err := license.New(license.Options{
		Server:     "https://licencias.example.com",
		Software:   "punto-de-venta",
		Keys:       keys,
		Store:      filepath.Join(folder, "licencia.json"),
		AppVersion: "1.0.0",
	})
	stopAt(err)

	keyFile := filepath.Join(folder, "clave.txt")
	key := ""
	if len(os.Args) > 1 {
		key = os.Args[1]
	} else if text, err := os.ReadFile(keyFile); err == nil {
		key = string(text)
	}

	// Pregunta al inicio y después cada cierto tiempo, en segundo plano; cada cambio llega a este canal.
	changes := make(chan license.Result, 16)
	program.Start(context.Background(), key, func(result license.Result) { changes <- result })
	result := <-changes
	if result.OK {
		stopAt(os.MkdirAll(folder, 0o755))
		stopAt(os.WriteFile(keyFile, []byte(key), 0o600))
		days := "sin límite"
		if result.DaysLeft != nil {
			days = fmt.Sprint(*result.DaysLeft)
		}
		if result.Offline {
			days += " (sin conexión)"
		}
		fmt.Println("Licencia válida. Días restantes: " + days)
	}
	for sale := 0; sale < 1; sale++ {
		// Qué pasó y qué hacer; también avisa antes de que el programa deje de funcionar.
		if text := result.Message("es"); text != "" {
			fmt.Fprintln(os.Stderr, text)
		}
		if !result.OK {
			break
		}
		work(program)
		// Un cambio se atiende entre una venta y otra, nunca a la mitad.
		select {
		case result = <-changes:
		default:
		}
	}

	program.Stop()
	if floating {
		program.Release(key)
	}
	if !result.OK {
		os.Exit(1)
	}
}

// work es lo que hace el programa sin que nada lo corte, como una venta.
func work(program *license.License) {
	if program.Has("modulo_nomina") {
		fmt.Println("Con el módulo de nómina.")
	}
}

func stopAt(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
