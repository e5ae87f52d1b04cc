// Un programa con licencia: go run ./example XXXXX-XXXXX-XXXXX-XXXXX-XXXXX
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"example.com/license"
)

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

// Lo que lee la persona por cada motivo.
var texts = map[string]string{
	"no_connection":      "No hay conexión con el servidor de licencias. Conéctate a internet e inténtalo de nuevo.",
	"unverified":         "La respuesta no viene del servidor de licencias. Revisa la red o el proxy.",
	"offline_expired":    "Hace mucho que no hay conexión. Conéctate a internet una vez para seguir.",
	"clock_back":         "El reloj de la computadora no es correcto. Corrígelo, conéctate a internet o pide otro archivo.",
	"installation_limit": "La licencia ya se usa en todas sus computadoras.",
	"suspended":          "La licencia está suspendida. Escribe a tu proveedor.",
	"expired":            "La licencia venció. Escribe a tu proveedor para renovarla.",
}

func main() {
	key := ""
	if len(os.Args) > 1 {
		key = os.Args[1]
	}
	home, _ := os.UserHomeDir()
	program, err := license.New(license.Options{
		Server:     "https://licencias.example.com",
		Software:   "punto-de-venta",
		Keys:       keys,
		Store:      filepath.Join(home, ".punto-de-venta.json"),
		AppVersion: "1.0.0",
	})
	if err != nil {
		panic(err)
	}
	check(program, key)
	go func() {
		for range time.Tick(time.Hour) {
			check(program, key)
		}
	}()

	if program.Has("modulo_nomina") {
		fmt.Println("Con el módulo de nómina.")
	}
}

func check(program *license.License, key string) {
	result := program.Check(key)
	if !result.OK {
		text, isKnown := texts[result.Reason]
		if !isKnown {
			text = "La licencia no es válida (" + result.Reason + ")."
		}
		fmt.Fprintln(os.Stderr, text)
		os.Exit(1)
	}
	days := "sin límite"
	if result.DaysLeft != nil {
		days = fmt.Sprint(*result.DaysLeft)
	}
	if result.Offline {
		days += " (sin conexión)"
	}
	fmt.Println("Licencia válida. Días restantes: " + days)
}
