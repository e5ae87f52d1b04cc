// The driver is what the tests run (sdk/README.md, The driver): it prints one line of JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
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
		ReleasedOn                     string `json:"released_on"`
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
	ReleasedOn                              string `json:"released_on"`
	Instance, Log, Lang                     string
	Timeout                                 float64
	Clock                                   *float64
	Uptime                                  *float64
	Result                                  told
	Rounds                                  []round
	For, Wait                               float64
	Starts, Until                           int
	Throws                                  bool
	Uses                                    []use
	Codes                                   []string
	Email, Name                             string
}

type use struct {
	Code   string
	Amount *int64
}

// told is the part of a result that its text depends on.
type told struct {
	OK, Offline, Pending       bool
	InGrace                    bool
	Reason, Detail, StoreError string
	GraceUntil, OfflineUntil   *time.Time
}

type round struct {
	Seconds, Wait float64
	Callers       int
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
	case "message":
		r := asked.Result
		return license.Result{
			OK: r.OK, Offline: r.Offline, Pending: r.Pending, InGrace: r.InGrace, Reason: r.Reason, Detail: r.Detail,
			StoreError: r.StoreError, GraceUntil: r.GraceUntil, OfflineUntil: r.OfflineUntil,
		}.Message(asked.Lang)
	case "cached":
		return cached(open(asked), asked)
	case "start":
		return start(open(asked), asked)
	case "release-why":
		program := open(asked)
		released := program.Release(asked.Key)
		reason, detail := program.ReleaseReason()
		return map[string]any{"released": released, "reason": orNull(reason), "detail": orNull(detail)}
	case "portal":
		program := open(asked)
		address := program.PortalURL(asked.Key)
		reason, detail := program.PortalReason()
		return map[string]any{"url": orNull(address), "reason": orNull(reason), "detail": orNull(detail)}
	case "use":
		program, kept := open(asked), []bool{}
		for _, one := range asked.Uses {
			kept = append(kept, program.Use(one.Code, amountOf(one)))
		}
		return kept
	case "remaining":
		return left(open(asked), asked.Codes)
	case "consume":
		program, counted := open(asked), []bool{}
		program.Check(asked.Key)
		for _, one := range asked.Uses {
			counted = append(counted, program.Consume(one.Code, amountOf(one)))
		}
		return counted
	case "left":
		program := open(asked)
		return map[string]any{"ok": program.Check(asked.Key).OK, "left": left(program, asked.Codes)}
	case "trial":
		program := open(asked)
		key := program.StartTrial(asked.Email, asked.Name)
		reason, detail := program.TrialReason()
		return map[string]any{"key": orNull(key), "reason": orNull(reason), "detail": orNull(detail)}
	case "open":
		return errorOf(asked)
	case "release":
		return open(asked).Release(asked.Key)
	case "machine-id":
		if asked.Server != "" {
			return open(asked).MachineID()
		}
		if asked.Store == "" {
			asked.Store = "driver-store.json"
		}
		return license.MachineID(asked.Software, asked.Store, strings.TrimSpace(asked.Instance))
	}
	stopAt(fmt.Errorf("no command: %s", asked.Do))
	return nil
}

func amountOf(one use) int64 {
	if one.Amount == nil {
		return 1
	}
	return *one.Amount
}

func left(program *license.License, codes []string) []*int64 {
	left := []*int64{}
	for _, code := range codes {
		left = append(left, program.Remaining(code))
	}
	return left
}

func judge(file vectors) []map[string]any {
	keys, err := license.PublicKeys(file.Keys)
	stopAt(err)
	results := []map[string]any{}
	for _, vector := range file.Cases {
		program := license.Program{
			Keys: keys, Software: file.Audience, MachineID: file.MachineID, LicenseKey: file.LicenseKey,
			Clock: vector.Clock, Mark: vector.Mark, ReleasedOn: vector.ReleasedOn,
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
		ReleasedOn: file.ReleasedOn,
		Instance:   file.Instance, Timeout: inSeconds(file.Timeout),
	}
	if file.Log != "" {
		options.Log = func(code, message string) {
			log, err := os.OpenFile(file.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
			if err != nil {
				panic(err)
			}
			defer log.Close()
			fmt.Fprintln(log, code, message)
		}
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
	line := lineOf(program.Check(file.Key))
	if file.Has != "" {
		line["has"] = program.Has(file.Has)
	}
	return line
}

func lineOf(result license.Result) map[string]any {
	refused := []map[string]any{}
	for _, use := range result.RefusedUses {
		refused = append(refused, map[string]any{"code": use.Code, "amount": use.Amount, "reason": use.Reason})
	}
	return map[string]any{
		"ok": result.OK, "reason": orNull(result.Reason), "offline": result.Offline,
		"pending": result.Pending, "daysLeft": result.DaysLeft,
		"features": result.Features, "expiresAt": result.ExpiresAt, "inGrace": result.InGrace,
		"graceUntil": result.GraceUntil, "offlineUntil": result.OfflineUntil, "type": orNull(result.Type),
		"status": orNull(result.Status), "nextCheck": result.NextCheck.Seconds(),
		"updatesUntil": orNull(result.UpdatesUntil), "detail": orNull(result.Detail),
		"storeError": orNull(result.StoreError), "seatFreeAt": result.SeatFreeAt,
		"refusedUses": refused,
	}
}

func inSeconds(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

func cached(program *license.License, asked command) [][]map[string]any {
	all := [][]map[string]any{}
	for _, round := range asked.Rounds {
		time.Sleep(inSeconds(round.Wait))
		answers := make([]map[string]any, round.Callers)
		var callers sync.WaitGroup
		for i := range answers {
			callers.Add(1)
			go func(i int) {
				defer callers.Done()
				began := time.Now()
				result := program.CheckCached(asked.Key, inSeconds(round.Seconds))
				answers[i] = map[string]any{"ms": time.Since(began).Milliseconds(), "result": lineOf(result)}
			}(i)
		}
		callers.Wait()
		all = append(all, answers)
	}
	return all
}

func start(program *license.License, asked command) []map[string]any {
	var reads sync.Mutex
	heard, began := []map[string]any{}, time.Now()
	more, enough := asked.Until, make(chan struct{})
	for i := 1; i <= asked.Starts || i == 1; i++ {
		if i > 1 {
			time.Sleep(inSeconds(asked.Wait))
		}
		number := i
		program.Start(context.Background(), asked.Key, func(result license.Result) {
			reads.Lock()
			defer reads.Unlock()
			ms := time.Since(began).Milliseconds()
			line := map[string]any{"start": number, "ms": ms, "result": lineOf(result)}
			if asked.Has != "" {
				line["has"] = program.Has(asked.Has)
			}
			if asked.Codes != nil {
				line["left"] = left(program, asked.Codes)
			}
			heard = append(heard, line)
			if number >= asked.Starts {
				if more--; more == 0 {
					close(enough)
				}
			}
			if asked.Throws {
				panic("onChange")
			}
		})
	}
	select {
	case <-enough:
	case <-time.After(inSeconds(asked.For)):
	}
	program.Stop()
	reads.Lock()
	defer reads.Unlock()
	return append([]map[string]any{}, heard...)
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
