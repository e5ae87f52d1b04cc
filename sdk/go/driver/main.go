// The driver is what the tests run (sdk/README.md, The driver): it prints one line of JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"example.com/license"
)

type vectors struct {
	Audience   string
	MachineID  string `json:"machine_id"`
	LicenseKey string `json:"license_key"`
	Keys       []license.Key
	Cases      []struct {
		Name, Kind, Input, Call, Nonce string
		LicenseKey                     string `json:"license_key"`
		Clock                          int64
		Mark                           *int64
	}
}

type command struct {
	Do                                      string
	Server, Software, Store, File, Key, Has string
	Keys                                    []license.Key
	MachineID                               string `json:"machine_id"`
	MachineName                             string `json:"machine_name"`
	AppVersion                              string `json:"app_version"`
	Timeout                                 float64
	Clock                                   *float64
	Uptime                                  *float64
}

func main() {
	switch os.Args[1] {
	case "serve":
		for lines := json.NewDecoder(os.Stdin); lines.More(); {
			var asked command
			stopAt(lines.Decode(&asked))
			write(answer(asked))
		}
	case "vectors":
		write(answer(command{Do: "vectors", File: os.Args[2]}))
	case "machine-id":
		fmt.Println(answer(command{Do: "machine-id", Software: os.Args[2]}))
	default:
		var asked command
		read(os.Args[2], &asked)
		asked.Do = os.Args[1]
		write(answer(asked))
	}
}

func answer(asked command) any {
	switch asked.Do {
	case "vectors":
		var file vectors
		read(asked.File, &file)
		return judge(file)
	case "check":
		return check(asked)
	case "open":
		return errorOf(asked)
	case "release":
		return open(asked).Release(asked.Key)
	case "machine-id":
		if asked.Server != "" {
			return open(asked).MachineID()
		}
		return license.MachineID(asked.Software, "driver-store.json")
	}
	stopAt(fmt.Errorf("no command: %s", asked.Do))
	return nil
}

func judge(file vectors) []map[string]any {
	keys, err := license.PublicKeys(file.Keys)
	stopAt(err)
	results := []map[string]any{}
	for _, vector := range file.Cases {
		program := license.Program{
			Keys: keys, Software: file.Audience, MachineID: file.MachineID, LicenseKey: file.LicenseKey,
			Clock: vector.Clock, Mark: vector.Mark,
		}
		if vector.LicenseKey != "" {
			program.LicenseKey = vector.LicenseKey
		}
		var verdict *license.Verdict
		switch vector.Kind {
		case "fresh":
			verdict = license.CheckFresh(vector.Input, vector.Call, vector.Nonce, program)
		case "file":
			verdict = license.CheckFile(vector.Input, program)
		default:
			verdict = license.CheckStored(vector.Input, program)
		}
		result := map[string]any{"name": vector.Name, "accepted": verdict.Accepted()}
		if verdict.Accepted() {
			result["valid"], result["reason"], result["mark"] = verdict.Valid(), orNull(verdict.Reason()), verdict.Mark
		} else {
			result["error"] = verdict.Error
		}
		results = append(results, result)
	}
	return results
}

func open(file command) *license.License {
	program, err := license.New(optionsOf(file))
	stopAt(err)
	return program
}

func errorOf(file command) any {
	if _, err := license.New(optionsOf(file)); err != nil {
		return err.Error()
	}
	return nil
}

func optionsOf(file command) license.Options {
	options := license.Options{
		Server: file.Server, Software: file.Software, Keys: file.Keys, Store: file.Store, File: file.File,
		MachineID: file.MachineID, MachineName: file.MachineName, AppVersion: file.AppVersion,
		Timeout: time.Duration(file.Timeout * float64(time.Second)),
	}
	if file.Clock != nil {
		options.Clock = func() int64 { return int64(*file.Clock) }
	}
	if file.Uptime != nil {
		options.Uptime = func() int64 { return int64(*file.Uptime) }
	}
	return options
}

func check(file command) map[string]any {
	program := open(file)
	result := program.Check(file.Key)
	line := map[string]any{
		"ok": result.OK, "reason": orNull(result.Reason), "offline": result.Offline, "daysLeft": result.DaysLeft,
		"features": result.Features, "expiresAt": result.ExpiresAt, "inGrace": result.InGrace,
		"graceUntil": result.GraceUntil, "offlineUntil": result.OfflineUntil, "type": orNull(result.Type),
		"status": orNull(result.Status), "nextCheck": result.NextCheck.Seconds(),
		"updatesUntil": orNull(result.UpdatesUntil),
	}
	if file.Has != "" {
		line["has"] = program.Has(file.Has)
	}
	return line
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func read(path string, into any) {
	text, err := os.ReadFile(path)
	stopAt(err)
	stopAt(json.Unmarshal(text, into))
}

func write(line any) {
	text, err := json.Marshal(line)
	stopAt(err)
	fmt.Println(string(text))
}

func stopAt(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
