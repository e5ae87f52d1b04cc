// SPDX-License-Identifier: MIT

// The shared library for languages that call C: license_manager.h says what each function does.
package main

// #include <stdlib.h>
import "C"

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"
	"unsafe"

	"example.com/license"
)

// options is what lm_open reads. An unknown name is an error, because it is a mistake of the programmer.
type options struct {
	Server, Software, Store, File    string
	Keys                             []license.Key
	MachineID, MachineName, Instance string
	AppVersion, ReleasedOn           string
	Timeout                          float64
}

// program is an opened licence with what its last call found.
type program struct {
	*license.License
	reads     sync.Mutex
	last      license.Result
	isPending bool // whether the first check of lm_start is under way
}

// nothing is the result before the first one.
var nothing = license.Result{Reason: "no_connection"}

// startWait is how long lm_start waits for what is kept, so that lm_get knows it.
const startWait = 300 * time.Millisecond

var (
	guard    sync.Mutex
	programs = map[C.int]*program{}
	number   C.int
	problem  string
)

func main() {}

//export lm_version
func lm_version() *C.char { return C.CString(license.Version) }

//export lm_open
func lm_open(text *C.char) C.int {
	opened, err := open(C.GoString(text))
	guard.Lock()
	defer guard.Unlock()
	if err != nil {
		problem = err.Error()
		return 0
	}
	number++
	programs[number], problem = opened, ""
	return number
}

func open(text string) (*program, error) {
	var asked options
	reader := json.NewDecoder(strings.NewReader(text))
	reader.DisallowUnknownFields()
	if err := reader.Decode(&asked); err != nil {
		return nil, &license.OptionError{Option: "options", Problem: err.Error()}
	}
	if asked.Timeout < 0 || asked.Timeout > 3600 {
		return nil, &license.OptionError{Option: "timeout", Problem: "seconds, 3600 at most"}
	}
	opened, err := license.New(license.Options{
		Server: asked.Server, Software: asked.Software, Keys: asked.Keys, Store: asked.Store, File: asked.File,
		MachineID: asked.MachineID, MachineName: asked.MachineName, Instance: asked.Instance,
		AppVersion: asked.AppVersion, ReleasedOn: asked.ReleasedOn, Timeout: inSeconds(asked.Timeout),
	})
	if err != nil {
		return nil, err
	}
	return &program{License: opened, last: nothing}, nil
}

//export lm_error
func lm_error() *C.char {
	guard.Lock()
	defer guard.Unlock()
	return C.CString(problem)
}

//export lm_close
func lm_close(handle C.int) {
	if opened := find(handle); opened != nil {
		opened.Stop()
		guard.Lock()
		defer guard.Unlock()
		delete(programs, handle)
	}
}

//export lm_free
func lm_free(text *C.char) { C.free(unsafe.Pointer(text)) }

//export lm_check
func lm_check(handle C.int, key *C.char) *C.char {
	opened := find(handle)
	if opened == nil {
		return C.CString(closed)
	}
	return C.CString(opened.keep(opened.Check(C.GoString(key))))
}

//export lm_check_cached
func lm_check_cached(handle C.int, key *C.char, seconds C.int) *C.char {
	opened := find(handle)
	if opened == nil {
		return C.CString(closed)
	}
	return C.CString(opened.keep(opened.CheckCached(C.GoString(key), time.Duration(seconds)*time.Second)))
}

//export lm_start
func lm_start(handle C.int, key *C.char) C.int {
	opened := find(handle)
	if opened == nil {
		return 0
	}
	opened.start(C.GoString(key))
	return 1
}

//export lm_stop
func lm_stop(handle C.int) {
	if opened := find(handle); opened != nil {
		opened.Stop()
		opened.setPending(false)
	}
}

//export lm_has
func lm_has(handle C.int, code *C.char) C.int {
	if opened := find(handle); opened != nil && opened.Has(C.GoString(code)) {
		return 1
	}
	return 0
}

//export lm_release
func lm_release(handle C.int, key *C.char) C.int {
	if opened := find(handle); opened != nil && opened.Release(C.GoString(key)) {
		return 1
	}
	return 0
}

//export lm_portal_url
func lm_portal_url(handle C.int, key *C.char) *C.char {
	opened := find(handle)
	if opened == nil {
		return C.CString("")
	}
	return C.CString(opened.PortalURL(C.GoString(key)))
}

//export lm_use
func lm_use(handle C.int, code *C.char, amount C.int) C.int {
	if opened := find(handle); opened != nil && opened.Use(C.GoString(code), int64(amount)) {
		return 1
	}
	return 0
}

//export lm_consume
func lm_consume(handle C.int, code *C.char, amount C.int) C.int {
	if opened := find(handle); opened != nil && opened.Consume(C.GoString(code), int64(amount)) {
		return 1
	}
	return 0
}

//export lm_start_trial
func lm_start_trial(handle C.int, email, name *C.char) *C.char {
	opened := find(handle)
	if opened == nil {
		return C.CString("")
	}
	return C.CString(opened.StartTrial(C.GoString(email), C.GoString(name)))
}

//export lm_get
func lm_get(handle C.int, name *C.char) *C.char {
	opened := find(handle)
	if opened == nil {
		return C.CString("")
	}
	return C.CString(opened.get(C.GoString(name)))
}

// closed is the result of a handle that lm_open did not give, or that lm_close ended.
const closed = `{"ok":false,"reason":"closed"}`

func find(handle C.int) *program {
	guard.Lock()
	defer guard.Unlock()
	return programs[handle]
}

func (p *program) start(key string) {
	p.reads.Lock()
	p.last, p.isPending = nothing, true // what was found last may be of another key
	p.reads.Unlock()
	heard := make(chan struct{}, 1)
	p.Start(context.Background(), key, func(result license.Result) {
		p.keep(result)
		select {
		case heard <- struct{}{}:
		default:
		}
	})
	select {
	case <-heard:
	case <-time.After(startWait):
	}
}

func (p *program) setPending(isPending bool) {
	p.reads.Lock()
	defer p.reads.Unlock()
	p.isPending = isPending
}

// keep notes a result for lm_get, and gives it as JSON.
func (p *program) keep(result license.Result) string {
	p.reads.Lock()
	p.last, p.isPending = result, result.Pending
	p.reads.Unlock()
	text, err := json.Marshal(fieldsOf(result))
	if err != nil {
		return `{"ok":false,"reason":"unverified"}` // no value of a token is one that JSON has not
	}
	return string(text)
}

// get is a field of the last result as text, such as ok, features.modulo_nomina or message.es.
func (p *program) get(name string) string {
	p.reads.Lock()
	last, isPending := p.last, p.isPending
	p.reads.Unlock()
	group, code, isIn := strings.Cut(name, ".")
	releaseReason, releaseDetail := p.ReleaseReason()
	portalReason, portalDetail := p.PortalReason()
	trialReason, trialDetail := p.TrialReason()
	switch {
	case isIn && group == "message" && isPending && !last.OK:
		return "" // nobody knows yet
	case isIn && group == "message":
		return last.Message(code)
	case name == "pending":
		return fmt.Sprint(isPending)
	case isIn && group == "features":
		return textOf(last.Features[code])
	case isIn && group == "remaining":
		if left := p.Remaining(code); left != nil {
			return fmt.Sprint(*left)
		}
		return ""
	case name == "machineId":
		return p.MachineID()
	case name == "releaseReason":
		return releaseReason
	case name == "releaseDetail":
		return releaseDetail
	case name == "portalReason":
		return portalReason
	case name == "portalDetail":
		return portalDetail
	case name == "trialReason":
		return trialReason
	case name == "trialDetail":
		return trialDetail
	}
	return textOf(fieldsOf(last)[name])
}

// textOf is empty for null, and JSON for a list or an object.
func textOf(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	case float64:
		if value == math.Trunc(value) && math.Abs(value) < 1e15 {
			return fmt.Sprint(int64(value))
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}

// fieldsOf are the names of sdk/README.md. What Go has empty is null.
func fieldsOf(r license.Result) map[string]any {
	features := r.Features
	if features == nil {
		features = map[string]any{}
	}
	refused := []map[string]any{}
	for _, use := range r.RefusedUses {
		refused = append(refused, map[string]any{"code": use.Code, "amount": use.Amount, "reason": use.Reason})
	}
	fields := map[string]any{
		"ok": r.OK, "pending": r.Pending, "offline": r.Offline, "inGrace": r.InGrace, "features": features,
		"reason": orNull(r.Reason), "detail": orNull(r.Detail), "storeError": orNull(r.StoreError),
		"type": orNull(r.Type), "status": orNull(r.Status), "updatesUntil": orNull(r.UpdatesUntil),
		"expiresAt": instant(r.ExpiresAt), "graceUntil": instant(r.GraceUntil), "offlineUntil": instant(r.OfflineUntil),
		"nextCheck": math.Round(r.NextCheck.Seconds()), "daysLeft": nil, "seatFreeAt": instant(r.SeatFreeAt),
		"refusedUses": refused,
	}
	if r.DaysLeft != nil {
		fields["daysLeft"] = *r.DaysLeft
	}
	return fields
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func instant(at *time.Time) any {
	if at == nil {
		return nil
	}
	return at.UTC().Format("2006-01-02T15:04:05Z")
}

func inSeconds(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
