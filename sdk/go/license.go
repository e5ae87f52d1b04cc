// SPDX-License-Identifier: MIT

// Package license asks the server whether a licence holds on this computer, and answers without connection from what
// it kept.
//
//	program, err := license.New(license.Options{Server: server, Software: software, Keys: keys, Store: store})
//	program.Start(ctx, key, func(result license.Result) {
//		show(result.Message("es"))
//		if !result.OK { saveAndClose() }
//	})
//	if program.Has("modulo_nomina") { openPayroll() }
//
// The SDKs of all languages do the same in the same order: sdk/README.md describes it, docs/offline.md the token.
package license

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/big"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode"
	"unicode/utf16"
)

// Version is that of the SDK.
const Version = "0.4.0"

// ---------------------------------------------------------------- What the program gives and gets

// Key is a public key, a constant of the program: its parts in base64url, as in the JWK.
type Key struct{ Kid, X, Y string }

// Options is what the SDK needs to know; the first four have no default.
type Options struct {
	Server      string        // the public address of the server, such as https://licencias.example.com
	Software    string        // the code of the software
	Keys        []Key         // the current public key and the next one
	Store       string        // a file that the program may write; the SDK keeps the last answer in it
	File        string        // the path of a licence file (.lic), which need not exist
	MachineID   string        // an id of this computer other than that of its system
	MachineName string        // a name of this computer other than its own
	Instance    string        // tells copies of the program on one computer apart; not together with MachineID
	AppVersion  string        // the version of the program, which the server counts
	ReleasedOn  string        // the day on which this build came out, such as 2026-11-21
	Timeout     time.Duration // for each call to the server, 5 seconds by default
	Clock       func() int64  // for tests: gives the seconds since 1970
	Uptime      func() int64  // for tests: gives the seconds of a counter that nobody sets

	// HTTPClient makes the calls in place of one of the SDK's own, such as with a proxy or an authority of its own. It is
	// used as a copy: the time limit, and that no redirect is followed, stay those of the SDK.
	HTTPClient *http.Client

	// Log is called for what goes wrong, with a code (sdk/README.md) and an English line, never with a key or a token.
	// It is called within a check, so it must not call the licence.
	Log func(code, message string)
}

// OptionError is a wrong option, which is a mistake of the programmer.
type OptionError struct{ Option, Problem string }

func (e *OptionError) Error() string { return e.Option + ": " + e.Problem }

var isDay = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// Result says whether the program may run.
type Result struct {
	OK         bool
	Reason     string         // empty when OK, else a reason of the server or of the SDK (sdk/README.md lists them)
	Detail     string         // why there is no fresh verdict, or why Reason (sdk/README.md); empty after a fresh one
	StoreError string         // why the store cannot be used: denied, full or failed; else empty
	Pending    bool           // only of the first result of Start: it comes from what was kept, and that of the check follows
	Offline    bool           // whether this comes from what was kept, or from a file
	DaysLeft   *int64         // whole days until the licence ends, as the console counts them; nil: no end
	Features   map[string]any // the licence's codes with their values: bool, float64 or string

	ExpiresAt    *time.Time    // when the licence ends; nil: no end, or nobody said it
	InGrace      bool          // whether the licence has ended and is in its grace
	GraceUntil   *time.Time    // when the grace ends; nil outside of it
	OfflineUntil *time.Time    // until when the program may work without connection; nil when not OK
	Type, Status string        // of the licence, such as trial and active; empty where nobody said it
	NextCheck    time.Duration // when to check again
	UpdatesUntil string        // the last day of updates, such as 2027-01-31; empty where the server says none
	SeatFreeAt   *time.Time    // of installation_limit: when a floating seat is free, if nobody gives one back before; else nil
	RefusedUses  []RefusedUse  // what the server refused since the last result; mostly empty
}

// RefusedUse is a use that does not count: the reason is limit_reached, unknown_meter, out_of_time or invalid.
type RefusedUse struct {
	Code   string
	Amount int64
	Reason string
}

// Message is the text for the program's user, in Spanish (es) or English (en): what happened and what to do. It is empty
// where all is well.
func (r Result) Message(language string) string {
	texts, isKnown := messages[language]
	if !isKnown {
		texts = messages["es"]
	}
	because, store := texts["detail_"+r.Detail], texts["store_"+r.StoreError]
	if r.OK {
		return r.warning(texts, because, store)
	}
	said := []string{texts[r.Reason]}
	if said[0] == "" {
		said[0] = strings.ReplaceAll(texts["unknown"], "{reason}", r.Reason)
	}
	switch r.Reason {
	case "no_connection", "unverified":
		if because != "" {
			said[0] = because
		}
	case "not_found":
		if because != "" && (r.Detail == "wrong_key" || r.Detail == "key_signs" || strings.HasPrefix(r.Detail, "file_")) {
			return because
		}
		return said[0]
	case "expired":
		if r.Offline {
			return texts["expired_offline"]
		}
		return said[0]
	case "offline_expired":
		if because != "" {
			said = []string{texts["offline_expired_because"], because}
		}
	default:
		return said[0]
	}
	if store != "" {
		said = append(said, store)
	}
	return strings.Join(said, " ")
}

// warning is the text of a result that is OK.
func (r Result) warning(texts map[string]string, because, store string) string {
	const day = 24 * time.Hour
	if r.InGrace {
		if r.GraceUntil == nil || time.Until(*r.GraceUntil) < 2*day {
			return texts["grace"]
		}
		return strings.ReplaceAll(texts["grace_days"], "{days}", fmt.Sprint(int(time.Until(*r.GraceUntil)/day)))
	}
	if !r.Offline || r.Pending || r.OfflineUntil == nil || time.Until(*r.OfflineUntil) >= 2*day {
		return store
	}
	hours := math.Max(1, math.Ceil(time.Until(*r.OfflineUntil).Hours()))
	text, isBecause := texts["offline_ends"], because != ""
	if isBecause {
		text = texts["offline_ends_because"] + " " + because
	}
	return strings.ReplaceAll(text, "{hours}", fmt.Sprint(int(hours)))
}

// ---------------------------------------------------------------- The licence

// paths are those of the calls, by their names in tokens.
var paths = map[string]string{
	"validate":  "/licenses/api/license/validate/",
	"activate":  "/licenses/api/installations/",
	"heartbeat": "/licenses/api/installation/heartbeat/",
	"release":   "/licenses/api/installations/release/",
	"portal":    "/licenses/api/portal/ticket/",
	"usage":     "/licenses/api/usage/",
	"trial":     "/licenses/api/trial/",
}

// portalAddress is one that a program may open: it ends in a browser, perhaps through a shell.
var portalAddress = regexp.MustCompile(
	`^(https?)://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/[A-Za-z0-9/._~?#=-]{1,500}$`)

// isOfPortal says whether a program may open this address: by http only on this computer, or at the host that it asked
// by http itself.
func isOfPortal(text, asked string) bool {
	address, server := portalAddress.FindStringSubmatch(text), portalAddress.FindStringSubmatch(asked)
	switch {
	case address == nil:
		return false
	case address[1] == "https", address[2] == "localhost", address[2] == "127.0.0.1", address[2] == "[::1]":
		return true
	}
	return server != nil && server[1] == "http" && strings.EqualFold(server[2], address[2])
}

// License may be used by several goroutines; their calls of Check and Release wait for one another.
type License struct {
	options Options
	keys    map[string]*ecdsa.PublicKey
	client  *http.Client

	calls chan struct{} // holds one while a whole call is under way

	files      sync.Mutex // held while the store, or what was used, is read and written
	unwritten  *kept      // what could not be written to the store, used instead of it until a write succeeds
	storeError string
	unanswered []oneUse // consumptions without an answer: asked again, they count once
	opened     openedStore

	state         sync.Mutex // held while what follows is read or written
	last          lastResult
	features      map[string]any // of the last result, or of what was kept at the start
	key           string         // the one that was checked last
	refusedUses   []RefusedUse   // for the next result
	flights       map[string]*flight
	cancel        context.CancelFunc // ends what Start began
	releaseReason string
	releaseDetail string
	portalReason  string
	portalDetail  string
	trialReason   string
	trialDetail   string
}

// lastResult is what was found last, when by the counter, and for how many seconds it may be told again.
type lastResult struct {
	Result
	keyHash string
	run     string
	at      float64
	lasts   float64
}

// flight is a check that several callers of CheckCached wait for.
type flight struct {
	landed chan struct{}
	result Result
}

// refusalSeconds is for how long CheckCached tells a refusal.
const refusalSeconds = 60

// New tells a wrong option with an *OptionError.
func New(options Options) (*License, error) {
	address, err := url.Parse(options.Server)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" {
		return nil, &OptionError{"server", "an address such as https://licencias.example.com"}
	}
	options.MachineID, options.Instance = trim(options.MachineID), trim(options.Instance)
	switch {
	case trim(options.Software) == "":
		return nil, &OptionError{"software", "its code"}
	case options.Store == "":
		return nil, &OptionError{"store", "the path of a file"}
	case len(options.Keys) == 0:
		return nil, &OptionError{"keys", "one public key or more"}
	case options.Timeout < 0:
		return nil, &OptionError{"timeout", "more than 0"}
	case options.ReleasedOn != "" && !isDay.MatchString(options.ReleasedOn):
		return nil, &OptionError{"releasedOn", "a day as 2026-11-21"}
	case options.Instance != "" && options.MachineID != "":
		return nil, &OptionError{"instance", "not together with the machine id"}
	}
	keys, err := PublicKeys(options.Keys)
	if err != nil {
		return nil, err
	}
	options.Server = strings.TrimRight(options.Server, "/")
	if options.MachineID == "" {
		options.MachineID = MachineID(options.Software, options.Store, options.Instance)
	}
	if options.MachineName == "" {
		options.MachineName = computerName()
	}
	options.MachineName = cut(options.MachineName, 200)
	if options.Timeout == 0 {
		options.Timeout = 5 * time.Second
	}
	if options.Clock == nil {
		options.Clock = func() int64 { return time.Now().Unix() }
	}
	var client http.Client
	if options.HTTPClient != nil {
		client = *options.HTTPClient
	}
	client.Timeout = options.Timeout // of the whole call, with the body
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &License{
		options: options, keys: keys, client: &client, calls: make(chan struct{}, 1), flights: map[string]*flight{},
		last: lastResult{Result: refused("no_connection", false)},
	}, nil
}

// MachineID is the id of this computer for this software, which a licence file is issued for.
func (l *License) MachineID() string { return l.options.MachineID }

// Check says whether the licence of this key holds on this computer. It asks the server twice at most. Without a key the
// licence file decides, and the server is not asked.
func (l *License) Check(key string) Result { return l.CheckContext(context.Background(), key) }

// CheckContext is Check that asks the server no longer than the context: after that what was kept decides, as without
// connection.
func (l *License) CheckContext(ctx context.Context, key string) (result Result) {
	if !l.enter(ctx) {
		return l.withoutWaiting(hashOfKey(key))
	}
	defer l.leave()
	return l.check(ctx, key)
}

// CheckCached gives the last result of this key where it is younger than this, else it checks. Callers who come meanwhile
// share the check; those who have an older result that still holds get that one at once.
func (l *License) CheckCached(key string, within time.Duration) Result {
	return l.CheckCachedContext(context.Background(), key, within)
}

// CheckCachedContext is CheckCached that waits no longer than the context. The check goes on for the other callers.
func (l *License) CheckCachedContext(ctx context.Context, key string, within time.Duration) Result {
	keyHash := hashOfKey(key)
	l.noteKey(key)
	if known, isYounger := l.younger(keyHash, within.Seconds()); isYounger {
		return known
	}
	l.state.Lock()
	shared := l.flights[keyHash]
	isFirst := shared == nil
	if isFirst {
		shared = &flight{landed: make(chan struct{})}
		l.flights[keyHash] = shared
	}
	l.state.Unlock()
	if isFirst {
		go l.fly(shared, key, within)
	} else if older, holds := l.younger(keyHash, math.Inf(1)); holds && older.OK {
		return older
	}
	select {
	case <-shared.landed:
		return shared.result
	case <-ctx.Done():
		return l.withoutWaiting(keyHash)
	}
}

func (l *License) fly(shared *flight, key string, within time.Duration) {
	keyHash := hashOfKey(key)
	l.enter(context.Background())
	known, isYounger := l.younger(keyHash, within.Seconds()) // another check may have ended meanwhile
	if !isYounger {
		known = l.check(context.Background(), key)
	}
	l.leave()
	l.state.Lock()
	defer l.state.Unlock()
	shared.result = known
	delete(l.flights, keyHash)
	close(shared.landed)
}

// Start works in a goroutine, until the context ends. It calls onChange there at once with what is kept, where that is good
// (Pending); then it checks, and again every NextCheck, and calls onChange with the first of these results and with each that
// says something else or whose text begins or ends. A second Start replaces the first.
func (l *License) Start(ctx context.Context, key string, onChange func(Result)) {
	l.noteKey(key)
	ctx, cancel := context.WithCancel(ctx)
	l.replaceStart(cancel)
	go l.repeat(ctx, key, onChange)
}

// Stop ends what Start began. It does not wait for a check that is under way.
func (l *License) Stop() { l.replaceStart(nil) }

func (l *License) replaceStart(cancel context.CancelFunc) {
	l.state.Lock()
	before := l.cancel
	l.cancel = cancel
	l.state.Unlock()
	if before != nil {
		before()
	}
}

func (l *License) repeat(ctx context.Context, key string, onChange func(Result)) {
	if kept := l.look(key); kept.OK && ctx.Err() == nil {
		l.state.Lock()
		l.features = kept.Features
		l.state.Unlock()
		l.call(onChange, kept)
	}
	var told any
	for ctx.Err() == nil {
		result := l.Check(key) // not with the context, whose end is no lost connection
		// A text that begins may be the warning before the end.
		warns := result.Message("es") != ""
		says := []any{result.OK, result.Reason, result.Features, result.InGrace, result.Offline, warns}
		isNews := !reflect.DeepEqual(says, told) || len(result.RefusedUses) > 0
		if ctx.Err() == nil && isNews {
			told = says
			l.call(onChange, result)
		}
		timer := time.NewTimer(result.NextCheck)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
}

// look is what is kept. It waits for no call: a server may hang, or be behind a wall that answers nothing.
func (l *License) look(key string) (result Result) {
	defer func() {
		if recover() != nil {
			result = Result{} // such as a clock of the program that panics
		}
	}()
	if key = trim(key); key == "" {
		result, _ = l.byFile()
	} else {
		result, _ = l.withoutConnection(l.program(key), answer{})
	}
	result.Pending, result.Detail, result.StoreError = true, "", l.problemOfStore()
	return result
}

func (l *License) call(onChange func(Result), result Result) {
	defer func() {
		if recover() != nil {
			l.log("callback", "")
		}
	}()
	onChange(result)
}

// Has says whether the last check was OK and the licence has this code with a value other than false.
func (l *License) Has(code string) bool {
	l.state.Lock()
	defer l.state.Unlock()
	value := l.features[code]
	return value != nil && value != false
}

// Release gives the seat back. It is true when the server signed that this computer has none now.
func (l *License) Release(key string) bool { return l.ReleaseContext(context.Background(), key) }

// ReleaseContext is Release that waits no longer than the context.
func (l *License) ReleaseContext(ctx context.Context, key string) (released bool) {
	reason, detail := "no_connection", "timeout"
	defer func() {
		released = recover() == nil && released
		l.state.Lock()
		defer l.state.Unlock()
		l.releaseReason, l.releaseDetail = reason, detail
	}()
	if !l.enter(ctx) {
		return false
	}
	defer l.leave()
	sent := l.sendUses(ctx, trim(key), l.options.Clock())
	got := l.ask(ctx, "release", trim(key), map[string]any{})
	reason, detail = got.problem(), got.detail
	switch {
	case got.verdict.says("not_activated"):
		reason, detail = "", ""
	case got.verdict != nil && got.verdict.Reason() != "":
		reason = got.verdict.Reason()
		return false
	case got.code != "":
		reason, detail = got.code, ""
		return false
	default:
		l.log(detail, "release: ")
		return false
	}
	l.forgetVerdict(l.program(trim(key)), sent)
	l.remember(lastResult{Result: refused("not_activated", false)})
	return true
}

// forgetVerdict leaves the mark in the store.
func (l *License) forgetVerdict(program Program, sent sentUses) {
	l.files.Lock()
	defer l.files.Unlock()
	old := l.readStore()
	old.Mark = markOf(program, old)
	old.License, old.Token, old.Before = "", "", ""
	l.writeStore(old)
	l.forgetSent(sent)
}

// ReleaseReason says why the last Release was false, and the detail; both are empty where it was true.
func (l *License) ReleaseReason() (reason, detail string) {
	l.state.Lock()
	defer l.state.Unlock()
	return l.releaseReason, l.releaseDetail
}

// PortalURL gives an address of the portal for this computer's seat, for the browser: it works once, within five minutes.
// It is empty where there is none; PortalReason then says why.
func (l *License) PortalURL(key string) string {
	return l.PortalURLContext(context.Background(), key)
}

// PortalURLContext is PortalURL that waits no longer than the context.
func (l *License) PortalURLContext(ctx context.Context, key string) (address string) {
	reason, detail := "no_connection", "unreachable"
	defer func() {
		if recover() != nil {
			address = ""
		}
		l.state.Lock()
		defer l.state.Unlock()
		l.portalReason, l.portalDetail = reason, detail
	}()
	got, body := l.post(ctx, paths["portal"], map[string]any{
		"license_key": trim(key), "machine_id": l.options.MachineID, "software": l.options.Software,
	})
	if text, _ := body["url"].(string); got.status == http.StatusOK && isOfPortal(text, l.options.Server+paths["portal"]) {
		reason, detail = "", ""
		return text
	}
	if got.status != 0 {
		got = got.without(body, "not_the_server")
	}
	if reason, detail = got.problem(), got.detail; got.code != "" {
		reason, detail = got.code, ""
	}
	l.log(detail, "portal: ")
	return ""
}

// PortalReason says why the last PortalURL was empty, and the detail; both are empty where it was not.
func (l *License) PortalReason() (reason, detail string) {
	l.state.Lock()
	defer l.state.Unlock()
	return l.portalReason, l.portalDetail
}

// ---------------------------------------------------------------- What was used, and trials

// The records of one call, the calls that one check makes for them, and the size above which none is added.
const (
	mostRecords  = 100
	mostSendings = 20
	mostQueue    = 4 * 1024 * 1024
	mostAmount   = 1_000_000_000
)

// oneUse is a line of the file of what was used. Its id counts once, so what was not answered can be sent again. What the
// server counted already waits only for a verdict that knows of it.
type oneUse struct {
	Code      string `json:"code"`
	Amount    int64  `json:"amount"`
	ID        string `json:"id"`
	Clock     int64  `json:"clock"`
	IsCounted bool   `json:"counted,omitempty"`
}

var (
	meterCode = regexp.MustCompile(`^[a-z0-9_]{1,50}$`)
	useID     = regexp.MustCompile(`^[0-9a-f]{32}$`)
)

func isUse(code string, amount int64) bool {
	return meterCode.MatchString(code) && amount >= 1 && amount <= mostAmount
}

func newUse(code string, amount int64) oneUse {
	return oneUse{Code: code, Amount: amount, ID: hex.EncodeToString(random(16))}
}

// Use notes that something was used, beside the store; checks send it, and it counts once. It is true where that is kept,
// and false too where less is left, of a meter that refuses what is beyond.
func (l *License) Use(code string, amount int64) (isKept bool) {
	defer func() { isKept = recover() == nil && isKept }()
	if !isUse(code, amount) {
		return false
	}
	l.files.Lock()
	defer l.files.Unlock()
	if left, refuses := l.leftOf(code); refuses && left != nil && *left < amount {
		l.log("use_refused", fmt.Sprintf("%s: %d of %d (limit_reached): ", code, amount, *left))
		return false
	}
	return l.keepUse(newUse(code, amount))
}

// Consume asks the server to count this now, with the key that was checked last: it is true only where it did. A call
// without an answer, made again, counts once.
func (l *License) Consume(code string, amount int64) bool {
	return l.ConsumeContext(context.Background(), code, amount)
}

// ConsumeContext is Consume that waits no longer than the context.
func (l *License) ConsumeContext(ctx context.Context, code string, amount int64) (isCounted bool) {
	defer func() { isCounted = recover() == nil && isCounted }()
	l.state.Lock()
	key := l.key
	l.state.Unlock()
	if key == "" || !isUse(code, amount) {
		return false
	}
	use := l.takeUnanswered(code, amount)
	record := map[string]any{"code": code, "amount": amount, "request_id": use.ID}
	got := l.ask(ctx, "usage", key, map[string]any{"records": []map[string]any{record}})
	said := useIn(got.verdict, use.ID)
	switch {
	case got.verdict == nil:
		if got.status != http.StatusBadRequest { // nobody signed whether it counted: the same id asks again
			l.files.Lock()
			l.unanswered = append(l.unanswered, use)
			l.files.Unlock()
		}
		l.log(got.detail, "consume: ")
		return false
	case said["accepted"] == false:
		l.refuse(use, said["reason"])
		return false
	case !hasCounted(said, use):
		reason := got.verdict.Reason()
		if reason == "" {
			reason = "not this use"
		}
		l.log("use_refused", fmt.Sprintf("%s: %d (%s): ", code, amount, reason))
		return false
	}
	use.IsCounted = true // what was kept does not know of it yet
	l.files.Lock()
	defer l.files.Unlock()
	l.keepUse(use)
	return true
}

// useIn is what a signed answer says of the use with this id; nobody else's word counts.
func useIn(verdict *Verdict, id string) map[string]any {
	if verdict == nil {
		return nil
	}
	uses, _ := verdict.Claims["uses"].([]any)
	for _, one := range uses {
		if said, _ := one.(map[string]any); said["request_id"] == id {
			return said
		}
	}
	return nil
}

// hasCounted says whether this use counted now: a relay may have changed the record, sent another one first under its id, or
// named another day.
func hasCounted(said map[string]any, use oneUse) bool {
	amount := seconds(said["amount"])
	isThis := said["code"] == use.Code && amount != nil && *amount == use.Amount && said["past"] != true
	return said["accepted"] == true && isThis
}

// takeUnanswered is a consumption like this that was not answered, else a new one.
func (l *License) takeUnanswered(code string, amount int64) oneUse {
	l.files.Lock()
	defer l.files.Unlock()
	for at, use := range l.unanswered {
		if use.Code == code && use.Amount == amount {
			l.unanswered = append(l.unanswered[:at:at], l.unanswered[at+1:]...)
			return use
		}
	}
	return newUse(code, amount)
}

// Remaining is what is left of a meter: what the last verdict said, without what waits to be sent. It is known from the
// first line on, without connection too; nil without a limit, and where nothing was kept.
func (l *License) Remaining(code string) (left *int64) {
	defer func() {
		if recover() != nil {
			left = nil // such as a clock of the program that panics
		}
	}()
	l.files.Lock()
	defer l.files.Unlock()
	left, _ = l.leftOf(code)
	return left
}

func (l *License) keepUse(use oneUse) bool {
	use.Clock = l.options.Clock()
	line, err := json.Marshal(use)
	if err == nil {
		err = appendTo(l.options.Store+".usage", line)
	}
	if err != nil {
		l.log("store_"+storeErrorOf(err), "usage: ")
	}
	return err == nil
}

// appendTo adds a line to a file, in a folder that is made.
func appendTo(path string, line []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	line = []byte("\n" + string(line) + "\n") // a line of its own even where the one before was torn
	for {
		isOf, err := tryAppend(path, line)
		if err != nil || isOf {
			return err
		}
		// Who sends the file gave it another name meanwhile, and may have read it before: once more, with the same id.
	}
}

// tryAppend says whether the file to which it added the line is still the one of this name.
func tryAppend(path string, line []byte) (isOf bool, err error) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return false, err
	}
	defer file.Close()
	written, err := file.Stat()
	if err != nil {
		return false, err
	}
	if written.Size() > mostQueue {
		return false, syscall.ENOSPC
	}
	if _, err = file.Write(line); err != nil {
		return false, err
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(written, named), nil
}

// isSentFile is the end of the name of a file with uses that is to be sent; .sending is that of older SDKs.
var isSentFile = regexp.MustCompile(`^\.usage\.([0-9a-f]{32}|sending)$`)

// sentFiles are the files with uses that got a name of their own to be sent.
func (l *License) sentFiles() (files []string) {
	folder, name := filepath.Split(l.options.Store)
	if folder == "" {
		folder = "."
	}
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), name) && isSentFile.MatchString(entry.Name()[len(name):]) {
			files = append(files, filepath.Join(folder, entry.Name()))
		}
	}
	return files
}

// usesIn reads the lines of a file. A line that was torn is none, nor is one that no use can be: the server would refuse
// the others with it.
func usesIn(path string) (uses []oneUse, err error) {
	text, err := os.ReadFile(path)
	for _, line := range bytes.Split(decoded(text), []byte("\n")) {
		var read struct {
			oneUse
			Clock *int64 `json:"clock"`
		}
		if json.Unmarshal(line, &read) != nil || read.Clock == nil || *read.Clock < 0 || *read.Clock >= 1<<53 {
			continue
		}
		if use := read.oneUse; useID.MatchString(use.ID) && isUse(use.Code, use.Amount) {
			use.Clock = *read.Clock
			uses = append(uses, use)
		}
	}
	return uses, err
}

// openedStore is what was kept, as texts, and its claims that say what is left.
type openedStore struct {
	texts  [3]string
	claims map[string]any
	isFile bool
}

// leftOf says what is left of a meter, and whether what is beyond is refused. It is for who holds files.
func (l *License) leftOf(code string) (left *int64, refuses bool) {
	kept := l.openKept()
	meters, _ := kept.claims["meters"].([]any)
	for _, one := range meters {
		if meter, _ := one.(map[string]any); meter["code"] == code {
			return l.leftBy(meter, kept), meter["overage"] == "refuse"
		}
	}
	return nil, false
}

// leftBy counts what waits. After its reset all of a meter is left, but the last period of a licence begins anew only with
// a renewal. Of a file what was used before it counts only where the meter never begins anew.
func (l *License) leftBy(meter map[string]any, kept openedStore) *int64 {
	limit, remaining := seconds(meter["limit"]), seconds(meter["remaining"])
	if limit == nil || remaining == nil {
		return nil
	}
	left, since := *remaining, int64(0)
	reset, end := instant(meter["resets_at"]), instant(kept.claims["license_expires"])
	switch {
	case reset == nil:
	case l.options.Clock() >= reset.Unix() && (end == nil || reset.Before(*end)):
		left, since = *limit, reset.Unix()
	case kept.isFile:
		since = *seconds(kept.claims["iat"])
	}
	// Before the others are listed: where it gets another name meanwhile its lines are in both, and they have ids.
	waiting, _ := usesIn(l.options.Store + ".usage")
	for _, file := range l.sentFiles() {
		uses, _ := usesIn(file)
		waiting = append(waiting, uses...)
	}
	isRead := map[string]bool{}
	for _, use := range waiting {
		if use.Code == meter["code"] && use.Clock >= since && !isRead[use.ID] {
			isRead[use.ID] = true
			left -= use.Amount
		}
	}
	if left < 0 {
		left = 0
	}
	return &left
}

// openKept is the kept verdict or the file of its key, whichever is newer.
func (l *License) openKept() openedStore {
	content := l.unwritten
	if content == nil {
		read, _ := readWhole(l.options.Store)
		stored := keptIn(read)
		content = &stored
	}
	file := ""
	if l.options.File != "" {
		file = fileToken(textOf(l.options.File))
	}
	texts := [3]string{content.License, content.Token, file}
	if l.opened.texts == texts {
		return l.opened
	}
	stored, filed := l.claimsIn(content.Token, inStore), l.claimsIn(file, inFile)
	if stored["key_hash"] != content.License {
		stored = nil
	}
	isFile := filed != nil && (stored == nil ||
		filed["key_hash"] == content.License && *seconds(filed["iat"]) > *seconds(stored["iat"]))
	l.opened = openedStore{texts, stored, isFile}
	if isFile {
		l.opened.claims = filed
	}
	return l.opened
}

// claimsIn are those of a token that passes the steps 1 to 11 for the key that it names.
func (l *License) claimsIn(token, role string) map[string]any {
	program := l.program("")
	if program.keyHash = keyHashIn(token); program.keyHash == "" {
		return nil
	}
	signed := readSigned(token, role, program)
	if !signed.Accepted() {
		return nil
	}
	return signed.Claims
}

// sentUses are the files with uses, and the ids that were answered: they go once a verdict that knows of them was kept.
type sentUses struct {
	files    map[string][]oneUse
	answered map[string]bool
	isMore   bool
}

// sendUses sends what was used. The time is that of the server.
func (l *License) sendUses(ctx context.Context, key string, now int64) sentUses {
	queue := l.options.Store + ".usage"
	// A name of its own, so that no process writes over what another one sends. Where there is none, or it cannot be moved
	// now, the next check tries again.
	_ = os.Rename(queue, queue+"."+hex.EncodeToString(random(16)))
	sent := sentUses{files: map[string][]oneUse{}, answered: map[string]bool{}}
	var waiting []oneUse
	isRead := map[string]bool{}
	for _, name := range l.sentFiles() {
		uses, err := usesIn(name)
		if err != nil {
			continue // What cannot be read now stays for a later check.
		}
		sent.files[name] = uses
		for _, use := range uses {
			if use.IsCounted {
				sent.answered[use.ID] = true
			} else if !isRead[use.ID] {
				waiting = append(waiting, use)
			}
			isRead[use.ID] = true
		}
	}
	ahead, calls := now-l.options.Clock(), 0
	for ; len(waiting) > 0 && calls < mostSendings; calls++ {
		part := waiting
		if len(part) > mostRecords {
			part = part[:mostRecords]
		}
		if !l.sendPart(ctx, part, key, now, ahead) {
			return sent
		}
		for _, use := range part {
			sent.answered[use.ID] = true
		}
		waiting = waiting[len(part):]
	}
	sent.isMore = len(waiting) > 0
	return sent
}

// sendPart is true when the server answered. Moments are said by its clock: that of the computer may be wrong.
func (l *License) sendPart(ctx context.Context, uses []oneUse, key string, now, ahead int64) bool {
	records, byID := []map[string]any{}, map[string]oneUse{}
	for _, use := range uses {
		moment := use.Clock + ahead
		if moment > now {
			moment = now
		}
		if moment < 0 {
			moment = 0
		}
		records = append(records, map[string]any{
			"code": use.Code, "amount": use.Amount, "request_id": use.ID,
			"at": time.Unix(moment, 0).UTC().Format(time.RFC3339),
		})
		byID[use.ID] = use
	}
	got, results := l.report(ctx, key, records)
	switch {
	case got.status == http.StatusBadRequest:
		for _, use := range uses {
			l.refuse(use, nil) // what the server takes for no record it would take for none tomorrow
		}
		return true
	case results == nil:
		l.log(got.detail, "usage: ")
		return false
	}
	for _, one := range results {
		id, _ := one["request_id"].(string)
		if use, isOne := byID[id]; isOne && one["accepted"] == false {
			l.refuse(use, one["reason"])
		}
	}
	return true
}

// report sends some records. The results are nil where the answer is none; the answer then has the detail.
func (l *License) report(ctx context.Context, key string, records []map[string]any) (answer, []map[string]any) {
	got, body := l.post(ctx, paths["usage"], map[string]any{
		"license_key": key, "machine_id": l.options.MachineID, "software": l.options.Software, "records": records,
	})
	list, isList := body["results"].([]any)
	if got.status != http.StatusOK || !isList {
		if got.status != 0 {
			got = got.without(body, "not_the_server")
		}
		return got, nil
	}
	results := []map[string]any{}
	for _, one := range list {
		if result, isObject := one.(map[string]any); isObject {
			results = append(results, result)
		}
	}
	return got, results
}

// refuse notes a use that the server refused, for the log and the next result.
func (l *License) refuse(use oneUse, reason any) {
	said, isText := reason.(string)
	if !isText || !codeText.MatchString(said) {
		said = "invalid"
	}
	l.state.Lock()
	l.refusedUses = append(l.refusedUses, RefusedUse{use.Code, use.Amount, said})
	l.state.Unlock()
	l.log("use_refused", fmt.Sprintf("%s: %d (%s): ", use.Code, use.Amount, said))
}

func (l *License) takeRefusedUses() []RefusedUse {
	l.state.Lock()
	defer l.state.Unlock()
	taken := l.refusedUses
	l.refusedUses = nil
	return taken
}

func (l *License) noteKey(key string) {
	l.state.Lock()
	defer l.state.Unlock()
	l.key = trim(key)
}

// forgetSent deletes what a kept verdict knows of, for who holds files. What is kept twice is sent twice, and counts once.
func (l *License) forgetSent(sent sentUses) {
	for name, uses := range sent.files {
		var rest []byte
		count := 0
		for _, use := range uses {
			if !sent.answered[use.ID] {
				line, _ := json.Marshal(use)
				rest, count = append(append(rest, line...), '\n'), count+1
			}
		}
		if count > 0 && count == len(uses) {
			continue
		}
		if count > 0 && replaceFile(l.options.Store+".usage."+hex.EncodeToString(random(16)), rest) != nil {
			continue
		}
		_ = os.Remove(name)
	}
}

// StartTrial starts the trial of this computer, or finds the one that it has: the key, for Check. Mail address and name of
// the user may be empty. It is empty where there is none; TrialReason then says why, and of a trial that may not be used
// why not.
func (l *License) StartTrial(email, name string) string {
	return l.StartTrialContext(context.Background(), email, name)
}

// StartTrialContext is StartTrial that waits no longer than the context.
func (l *License) StartTrialContext(ctx context.Context, email, name string) (key string) {
	reason, detail := "no_connection", "unreachable"
	defer func() {
		if recover() != nil {
			key = ""
		}
		l.state.Lock()
		defer l.state.Unlock()
		l.trialReason, l.trialDetail = reason, detail
	}()
	nonce := base64.RawURLEncoding.EncodeToString(random(16))
	question := l.aboutProgram()
	question["software"], question["machine_id"] = l.options.Software, l.options.MachineID
	question["nonce"] = nonce
	for field, text := range map[string]string{"email": email, "name": name, "machine_name": l.options.MachineName} {
		if text != "" {
			question[field] = text
		}
	}
	got, body := l.post(ctx, paths["trial"], question)
	key, reason, detail = l.trialIn(got, body, nonce)
	l.log(detail, "trial: ")
	return key
}

// trialIn is the key of an answer, why it may not be used, and the detail. Only a signed one counts: anybody could name a
// key.
func (l *License) trialIn(got answer, body map[string]any, nonce string) (key, reason, detail string) {
	if got.status == 0 {
		return "", "no_connection", got.detail
	}
	named, _ := body["license_key"].(string)
	token, _ := body["token"].(string)
	verdict := CheckFresh(token, "activate", nonce, l.program(trim(named)))
	if named != "" && verdict.Accepted() {
		switch {
		case verdict.Valid():
			return trim(named), "", ""
		case verdict.Reason() == "expired":
			return trim(named), "trial_ended", ""
		}
		return trim(named), verdict.Reason(), ""
	}
	if got.status == http.StatusTooManyRequests && body["code"] == "trial_limit" {
		return "", "trial_limit", ""
	}
	failed := detailsOfAnswer[verdict.Error]
	if failed == "" {
		failed = "not_the_server"
	}
	got = got.without(body, failed)
	if got.code != "" {
		return "", got.code, ""
	}
	return "", got.problem(), got.detail
}

// TrialReason says why the last StartTrial gave no key, or why its trial may not be used, and the detail.
func (l *License) TrialReason() (reason, detail string) {
	l.state.Lock()
	defer l.state.Unlock()
	return l.trialReason, l.trialDetail
}

// enter waits for the calls of others, but no longer than the context.
func (l *License) enter(ctx context.Context) bool {
	select {
	case l.calls <- struct{}{}:
		return true // also where the context has ended: what was kept decides then
	default:
	}
	select {
	case l.calls <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (l *License) leave() { <-l.calls }

// withoutWaiting is for a caller whose time is over while others call: what is known of the key and holds.
func (l *License) withoutWaiting(keyHash string) Result {
	if older, holds := l.younger(keyHash, math.Inf(1)); holds && older.OK {
		return older
	}
	result := refused("no_connection", false)
	result.Detail = "timeout"
	return result
}

// younger is the last result of this key, if it still holds and is younger than these seconds.
func (l *License) younger(keyHash string, seconds float64) (Result, bool) {
	run, now := l.counter()
	l.state.Lock()
	defer l.state.Unlock()
	age := now - l.last.at
	holds := l.last.keyHash == keyHash && l.last.run == run && age >= 0 && age < math.Min(seconds, l.last.lasts)
	return l.last.Result, holds
}

func (l *License) remember(last lastResult) {
	l.state.Lock()
	defer l.state.Unlock()
	l.last, l.features = last, last.Features // empty where it is not OK
}

// log tells the program of what went wrong; an empty code is nothing.
func (l *License) log(code, about string) {
	if l.options.Log == nil || code == "" {
		return
	}
	defer func() { _ = recover() }() // a log that fails changes nothing
	l.options.Log(code, about+logged[code])
}

// check is for who holds calls.
func (l *License) check(ctx context.Context, key string) (result Result) {
	key = trim(key)
	l.noteKey(key)
	last := lastResult{keyHash: hashOfKey(key), lasts: refusalSeconds}
	defer func() {
		if recover() != nil {
			result, last.lasts = refused("no_connection", true), 0 // such as a clock of the program that panics
		}
		result.StoreError = l.problemOfStore()
		last.Result = result
		l.remember(last)
		result.RefusedUses = l.takeRefusedUses() // told once
	}()
	result, now := l.judge(ctx, key)
	last.run, last.at = l.counter()
	if result.OfflineUntil != nil {
		last.lasts = float64(result.OfflineUntil.Unix() - now)
	}
	if ctx.Err() != nil {
		last.lasts = 0 // that the caller had no more time is nobody else's answer
	}
	return result
}

// judge gives the mark after the check besides.
func (l *License) judge(ctx context.Context, key string) (Result, int64) {
	if key == "" {
		return l.byFile()
	}
	question := l.aboutProgram()
	question["require_seat"] = true
	call, got := "validate", l.ask(ctx, "validate", key, question)
	var sent sentUses
	if got.verdict.says("not_activated") {
		call, got = "activate", l.ask(ctx, "activate", key, l.aboutBoth())
		got, sent = l.withUses(ctx, key, got)
	} else if got.verdict.Valid() {
		sent = l.sendUses(ctx, key, got.verdict.Mark)
		call, got = "heartbeat", l.ask(ctx, "heartbeat", key, l.aboutBoth())
	}
	if got.verdict == nil {
		l.log(got.detail, call+": ")
		result, now := l.withoutConnection(l.program(key), got)
		return l.withoutFlip(result, hashOfKey(key), got), now
	}
	l.keepVerdict(key, got, sent)
	result := waitingForSeat(resultOf(got.verdict, false), got)
	if got.verdict.says("not_found") && hasWrongSigns(key) {
		result.Detail = "key_signs"
	}
	if sent.isMore {
		result.NextCheck = time.Minute // what is left to be sent does not wait for an hour
	}
	return result, got.verdict.Mark
}

// keepVerdict writes a fresh verdict. Beside the refusal of this build a good one stays: an older build may go on with it.
func (l *License) keepVerdict(key string, got answer, sent sentUses) {
	l.files.Lock()
	defer l.files.Unlock()
	iat := got.verdict.Mark
	now := kept{License: hashOfKey(key), Token: got.token, Mark: &iat, Issued: &iat, times: l.timesNow()}
	if refusesBuild(claimsOf(got.token)) {
		program := l.program(key)
		program.ReleasedOn = ""
		old := l.readStore()
		if before := readSigned(old.Token, inStore, program); before.Accepted() && old.License == now.License {
			if now.Before = ""; before.Valid() {
				now.Before = old.Token
			} else if refusesBuild(before.Claims) {
				now.Before = old.Before
			}
		}
	}
	l.writeStore(now)
	l.forgetSent(sent)
}

// withUses sends what waited for an activation. A heartbeat then brings a verdict that knows of it.
func (l *License) withUses(ctx context.Context, key string, activated answer) (answer, sentUses) {
	if !activated.verdict.Valid() {
		return activated, sentUses{}
	}
	sent := l.sendUses(ctx, key, activated.verdict.Mark)
	if len(sent.files) > 0 {
		if beat := l.ask(ctx, "heartbeat", key, l.aboutBoth()); beat.verdict != nil {
			return beat, sent
		}
	}
	return activated, sentUses{}
}

// waitingForSeat says of a floating licence without a free seat when one is free, and to ask again then, at least each
// minute.
func waitingForSeat(result Result, got answer) Result {
	if result.Reason != "installation_limit" || got.seatFreeAt == nil {
		return result
	}
	// By the server's clock: that of the computer may be wrong.
	wait := got.seatFreeAt.Sub(time.Unix(got.verdict.Mark, 0))
	result.SeatFreeAt, result.NextCheck = got.seatFreeAt, wait.Round(time.Second)
	if result.NextCheck < time.Second {
		result.NextCheck = time.Second
	}
	if result.NextCheck > time.Minute {
		result.NextCheck = time.Minute
	}
	return result
}

// withoutFlip takes too many questions for no lost connection: where nothing else changed, the program is told of none.
func (l *License) withoutFlip(result Result, keyHash string, got answer) Result {
	if got.status != http.StatusTooManyRequests {
		return result
	}
	l.state.Lock()
	defer l.state.Unlock()
	if l.last.keyHash == keyHash && l.last.OK == result.OK && l.last.Reason == result.Reason {
		result.Offline = l.last.Offline
	}
	wait := got.retryAfter
	if wait > time.Hour {
		wait = time.Hour
	}
	if wait > result.NextCheck {
		result.NextCheck = wait
	}
	return result
}

// byFile takes the key's hash from the file. The server cannot be asked without the key.
func (l *License) byFile() (Result, int64) {
	program := l.program("")
	program.keyHash = keyHashIn(fileToken(textOf(l.options.File)))
	if signed, detail := l.readLicenseFile(program); !signed.Accepted() {
		result := refused("not_found", false)
		result.Detail = detail
		return result, 0
	}
	return l.withoutConnection(program, answer{})
}

// readLicenseFile judges the steps 1 to 11, and says why the file does not pass them; without a file that is nothing.
func (l *License) readLicenseFile(program Program) (signed *Verdict, detail string) {
	signed = &Verdict{Error: "malformed"}
	if l.options.File == "" {
		return signed, ""
	}
	text, err := readStart(l.options.File, mostBytes)
	switch {
	case isMissing(err):
		detail = "file_missing"
	case err != nil:
		detail = "file_unreadable"
	default:
		signed = readFileToken(string(decoded(text)), program)
	}
	if detail == "" && !signed.Accepted() {
		if detail = detailsOfFile[signed.Error]; detail == "" {
			detail = "file_damaged"
		}
	}
	l.log(detail, "")
	return signed, detail
}

// withoutConnection judges what was kept and the file; the later of those that pass decides, so that an old file
// undoes no refusal.
func (l *License) withoutConnection(program Program, got answer) (Result, int64) {
	l.files.Lock()
	defer l.files.Unlock()
	old := l.readStore()
	times := l.timesNow() // after the store: what another process writes cannot make this clock look set back
	inFile, _ := l.readLicenseFile(program)
	byClock, bites := timeOf(old, markOf(program, old), times)
	known := timeByFile(inFile, old.Issued, byClock)
	if known != byClock {
		bites = "clock_file"
	}
	l.log(bites, "")
	program.Clock, program.Mark, program.Back = known.clock, known.least, known.back
	own, filed := &Verdict{Error: "malformed"}, checkTime(inFile, program)
	if old.License == program.hashOfKey() {
		own = checkTime(storedIn(old, program), program)
		if own.Error == "expired" && own.Claims["valid"] != true {
			own.Error = "" // a refusal that was kept decides even after its end
		}
	}
	later := own
	if filed.Accepted() && (!own.Accepted() || filed.iat() > own.iat()) {
		later = filed
	}
	if own.isTimely() || filed.isTimely() {
		first := own
		if !own.isTimely() {
			first = filed
		}
		after := timeAfter(old.Issued, known, later, first)
		after.License, after.Token, after.Before, after.times = old.License, old.Token, old.Before, times
		l.writeStore(after)
	}
	result := refused(got.problem(), false)
	if later.Accepted() {
		result = resultOf(later, true)
	} else if ended, isRefused := endOf(own, filed); isRefused {
		result = ended
	}
	result.Detail = got.detail
	return result, later.Mark
}

// storedIn is the verdict of the store that counts for this build. A refusal of a newer build does not: a good verdict from
// before stands beside it, or none.
func storedIn(old kept, program Program) *Verdict {
	last := readSigned(old.Token, inStore, program)
	until, _ := last.Claims["updates_until"].(string)
	if !last.Accepted() || !refusesBuild(last.Claims) || !isDay.MatchString(until) || program.ReleasedOn > until {
		return last
	}
	before := readSigned(old.Before, inStore, program)
	if before.Accepted() && !before.Valid() {
		return &Verdict{Error: "malformed"}
	}
	return before
}

// refusesBuild says whether a verdict refuses only the build that asked.
func refusesBuild(claims map[string]any) bool {
	return claims["valid"] != true && claims["reason"] == "updates_ended"
}

// endOf is the refusal by the first of these that does not hold because of its time. Where the licence itself has ended by
// then, it is to be renewed.
func endOf(verdicts ...*Verdict) (Result, bool) {
	for _, verdict := range verdicts {
		switch verdict.Error {
		case "expired":
			end := instant(verdict.Claims["usable_until"])
			if end == nil {
				end = instant(verdict.Claims["license_expires"])
			}
			if end != nil && end.UnixMilli() <= verdict.Mark*1000 {
				return withTerms(refused("expired", true), verdict), true
			}
			return refused("offline_expired", true), true
		case "clock_back", "future":
			return refused(verdict.Error, true), true
		}
	}
	return Result{}, false
}

func resultOf(verdict *Verdict, offline bool) Result {
	if !verdict.Valid() {
		reason := verdict.Reason()
		if reason == "" {
			reason = "unverified"
		}
		return withTerms(refused(reason, offline), verdict)
	}
	result := withTerms(Result{OK: true, Offline: offline, Features: map[string]any{}}, verdict)
	if end := result.ExpiresAt; end != nil {
		result.DaysLeft = daysUntil(end.Unix(), verdict.Mark, verdict.Claims["utc_offset"])
	}
	if features, isObject := verdict.Claims["features"].(map[string]any); isObject {
		result.Features = features
	}
	return result
}

// withTerms adds what a verdict says of the licence.
func withTerms(result Result, verdict *Verdict) Result {
	claims := verdict.Claims
	result.ExpiresAt = instant(claims["license_expires"])
	result.Type, _ = claims["license_type"].(string)
	result.Status, _ = claims["status"].(string)
	result.UpdatesUntil, _ = claims["updates_until"].(string)
	result.NextCheck = time.Hour
	if !result.OK {
		return result
	}
	if end := result.ExpiresAt; end != nil {
		result.InGrace = claims["in_grace"] == true || verdict.Mark*1000 > end.UnixMilli()
	}
	if result.InGrace {
		result.GraceUntil = instant(claims["usable_until"])
	}
	exp := *seconds(claims["exp"])
	until := time.Unix(exp, 0).UTC()
	result.OfflineUntil = &until
	if half := time.Duration((exp-verdict.iat())/2) * time.Second; half > 0 && half < time.Hour {
		result.NextCheck = half
	}
	return result
}

// daysUntil counts whole days of the vendor's calendar, as the console does.
func daysUntil(end, now int64, offset any) *int64 {
	day := func(seconds int64) int64 { return int64(math.Floor(float64(seconds) / 86400)) }
	days := day(end - now)
	if ahead, isNumber := offset.(float64); isNumber {
		days = day(end+int64(ahead)) - day(now+int64(ahead))
	}
	if days < 0 {
		days = 0
	}
	return &days
}

func instant(value any) *time.Time {
	text, _ := value.(string)
	read, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil
	}
	return &read
}

func refused(reason string, offline bool) Result {
	none := map[string]any{}
	return Result{Reason: reason, Offline: offline, DaysLeft: new(int64), Features: none, NextCheck: time.Hour}
}

func (l *License) aboutProgram() map[string]any {
	about := map[string]any{"os": systemName()}
	if l.options.AppVersion != "" {
		about["app_version"] = l.options.AppVersion
	}
	if l.options.ReleasedOn != "" {
		about["released_on"] = l.options.ReleasedOn
	}
	return about
}

// aboutBoth is of the program and the computer, which may have been renamed.
func (l *License) aboutBoth() map[string]any {
	about := l.aboutProgram()
	if l.options.MachineName != "" {
		about["machine_name"] = l.options.MachineName
	}
	return about
}

func (l *License) program(key string) Program {
	return Program{
		Keys: l.keys, Software: l.options.Software, MachineID: l.options.MachineID, LicenseKey: key,
		ReleasedOn: l.options.ReleasedOn,
	}
}

// markOf is the highest time that the program knows; nil before the first answer.
func markOf(program Program, old kept) *int64 {
	mark := old.Mark
	for _, signed := range []*Verdict{readSigned(old.Token, inStore, program), readSigned(old.Before, inStore, program)} {
		if signed.Accepted() && (mark == nil || signed.iat() > *mark) {
			iat := signed.iat()
			mark = &iat
		}
	}
	return mark
}

// ---------------------------------------------------------------- Asking the server

const (
	mostBytes = 64 * 1024
	userAgent = "license-manager-go/" + Version
)

// The detail by the step that a token failed; of an answer not_the_server, of a file file_damaged otherwise.
var (
	detailsOfAnswer = map[string]string{"unknown_key": "wrong_key", "signature": "wrong_key"}
	detailsOfFile   = map[string]string{
		"unknown_key": "wrong_key",
		"audience":    "file_other_software",
		"machine":     "file_other_machine",
		"key_hash":    "file_other_key",
	}
)

// logged is what the log says beside each code.
var logged = map[string]string{
	"dns":                 "the name of the server is not found",
	"tls":                 "no secure connection",
	"proxy":               "the proxy cannot be reached, or refuses",
	"timeout":             "no whole answer in time",
	"unreachable":         "no connection",
	"rate_limited":        "too many questions (429)",
	"server_error":        "the server has a fault (5xx)",
	"not_the_server":      "an answer without a token for this question",
	"wrong_key":           "a token of none of the program's keys",
	"file_missing":        "there is no licence file",
	"file_unreadable":     "the licence file cannot be read",
	"file_damaged":        "the licence file is none, or was changed",
	"file_other_machine":  "the licence file is of another computer",
	"file_other_software": "the licence file is of another software",
	"file_other_key":      "the licence file is of another key",
	"store_denied":        "no permission to use the store",
	"store_full":          "no space for the store",
	"store_failed":        "the store cannot be used",
	"clock_back":          "the clock is earlier than at the last check",
	"clock_still":         "the clock stands still, the time went on by what was measured",
	"clock_file":          "a newer licence file set the time anew",
	"use_refused":         "a use was refused",
	"callback":            "onChange panicked",
}

// answer has the status (0: none came), the token, and the verdict if the token passes, else the detail. The code is
// what an answer without a token says of itself; it is not signed.
type answer struct {
	status     int
	token      string
	verdict    *Verdict
	detail     string
	code       string
	retryAfter time.Duration
	seatFreeAt *time.Time
}

func (a answer) isNone() bool {
	return a.status == 0 || a.status == http.StatusProxyAuthRequired || a.status == http.StatusTooManyRequests || a.status >= 500
}

// problem is the reason where nothing that was kept holds.
func (a answer) problem() string {
	if a.isNone() {
		return "no_connection"
	}
	return "unverified"
}

var codeText = regexp.MustCompile(`^[a-z_]{1,50}$`)

// ask makes a call with a separate nonce and judges the answer as a fresh one.
func (l *License) ask(ctx context.Context, call, key string, question map[string]any) answer {
	nonce := base64.RawURLEncoding.EncodeToString(random(16))
	question["license_key"] = key
	question["machine_id"] = l.options.MachineID
	question["software"] = l.options.Software
	question["nonce"] = nonce
	got, body := l.post(ctx, paths[call], question)
	if got.status == 0 {
		return got
	}
	token, _ := body["token"].(string)
	verdict := CheckFresh(token, call, nonce, l.program(key))
	if verdict.Accepted() {
		got.token, got.verdict, got.seatFreeAt = token, verdict, instant(body["seat_free_at"])
		return got
	}
	detail := detailsOfAnswer[verdict.Error]
	if detail == "" {
		detail = "not_the_server"
	}
	return got.without(body, detail)
}

// without is an answer that brings nothing that counts; the detail is for one whose status says none.
func (a answer) without(body map[string]any, detail string) answer {
	a.detail = detail
	switch {
	case a.status == http.StatusProxyAuthRequired:
		a.detail = "proxy"
	case a.status == http.StatusTooManyRequests:
		a.detail = "rate_limited"
	case a.status >= 500:
		a.detail = "server_error"
	default:
		_, isToken := body["token"].(string)
		if code, _ := body["code"].(string); !isToken && codeText.MatchString(code) {
			a.code = code
		}
	}
	return a
}

// response is what came of a call: without a status nothing, and err says why.
type response struct {
	status int
	header http.Header
	body   []byte
	err    error
}

func (l *License) post(ctx context.Context, path string, question map[string]any) (answer, map[string]any) {
	body, err := json.Marshal(question)
	if err != nil {
		return answer{detail: "unreachable"}, nil
	}
	var way wayTaken
	ctx, cancel := context.WithTimeout(ctx, l.options.Timeout)
	defer cancel()
	traced := httptrace.WithClientTrace(ctx, way.trace())
	request, err := http.NewRequestWithContext(traced, http.MethodPost, l.options.Server+path, bytes.NewReader(body))
	if err != nil {
		return answer{detail: "unreachable"}, nil
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", userAgent)
	isProxied := isProxied(l.client.Transport, request)
	// In a goroutine, because a transport of the program may know of no context.
	came := make(chan response, 1)
	go func() { came <- l.send(request) }()
	var got response
	select {
	case got = <-came:
	case <-ctx.Done():
		got.err = ctx.Err()
	}
	if got.err != nil {
		return answer{detail: way.detailOf(got.err, isProxied)}, nil
	}
	wait, _ := strconv.ParseUint(got.header.Get("Retry-After"), 10, 31)
	return answer{status: got.status, retryAfter: time.Duration(wait) * time.Second}, readObject(got.body)
}

// send makes the call, and reads no more of the answer than any of the server has.
func (l *License) send(request *http.Request) (got response) {
	defer func() {
		if failure := recover(); failure != nil {
			got = response{err: fmt.Errorf("the transport panicked: %v", failure)}
		}
	}()
	answered, err := l.client.Do(request)
	if err != nil {
		return response{err: err}
	}
	defer answered.Body.Close()
	read, err := io.ReadAll(io.LimitReader(answered.Body, mostBytes+1))
	if len(read) > mostBytes {
		read = nil
	}
	return response{answered.StatusCode, answered.Header, read, err}
}

// isProxied says whether a call goes through a proxy; of a transport that is none of the standard library nobody knows.
func isProxied(transport http.RoundTripper, request *http.Request) bool {
	if transport == nil {
		transport = http.DefaultTransport
	}
	standard, isStandard := transport.(*http.Transport)
	if !isStandard || standard.Proxy == nil {
		return false
	}
	proxy, _ := standard.Proxy(request)
	return proxy != nil
}

// wayTaken is how far a call came. A connection that is no longer wanted may still report, so it is atomic.
type wayTaken struct{ isConnected, isUntrusted atomic.Bool }

func (w *wayTaken) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { w.isConnected.Store(true) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			var broken syscall.Errno // such as a connection that was reset
			if err != nil && !errors.Is(err, io.EOF) && !errors.As(err, &broken) {
				w.isUntrusted.Store(true)
			}
		},
	}
}

// detailOf is why a call brought no answer.
func (w *wayTaken) detailOf(err error, isProxied bool) string {
	var timed interface{ Timeout() bool }
	var name *net.DNSError
	switch {
	case errors.Is(err, context.Canceled) || (errors.As(err, &timed) && timed.Timeout()):
		return "timeout"
	case w.isUntrusted.Load() || isOfCertificate(err):
		return "tls"
	case isProxied && !w.isConnected.Load():
		return "proxy"
	case errors.As(err, &name):
		return "dns"
	}
	return "unreachable"
}

// isOfCertificate finds what a transport says that traces nothing.
func isOfCertificate(err error) bool {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	var record tls.RecordHeaderError
	return errors.As(err, &unknown) || errors.As(err, &invalid) || errors.As(err, &name) || errors.As(err, &record)
}

// ---------------------------------------------------------------- Judging a token (docs/offline.md)

const (
	aheadSeconds = 5 * 60
	backSeconds  = 24 * 60 * 60
)

// Program is what a program knows when it judges; the mark is nil before the first answer.
type Program struct {
	Keys       map[string]*ecdsa.PublicKey
	Software   string
	MachineID  string
	LicenseKey string // as the person typed it
	Clock      int64
	Mark       *int64
	Back       int64  // seconds that the clock was set back
	ReleasedOn string // the day on which this build came out; empty: nothing is asked of updates
	keyHash    string // of the key of a file that decides without a key
}

func (p Program) hashOfKey() string {
	if p.keyHash != "" {
		return p.keyHash
	}
	return hashOfKey(p.LicenseKey)
}

func (p Program) now() int64 {
	if p.Mark != nil && *p.Mark > p.Clock {
		return *p.Mark
	}
	return p.Clock
}

// Verdict is what a token is worth: Error is empty if it was accepted; Claims are there once its signature verifies.
type Verdict struct {
	Error  string
	Claims map[string]any
	Mark   int64
}

// Accepted says whether the token passed every step; Valid then decides.
func (v *Verdict) Accepted() bool { return v.Error == "" }

// Valid says whether the token lets the program run.
func (v *Verdict) Valid() bool { return v != nil && v.Claims["valid"] == true }

// Reason is the server's, empty for a valid token.
func (v *Verdict) Reason() string {
	reason, _ := v.Claims["reason"].(string)
	return reason
}

func (v *Verdict) says(reason string) bool { return v != nil && !v.Valid() && v.Reason() == reason }

func (v *Verdict) isTimely() bool { return v.Accepted() || v.Error == "expired" }

func (v *Verdict) iat() int64 { return *seconds(v.Claims["iat"]) }

// CheckFresh judges the answer to a call that was just made with this nonce: validate, activate, heartbeat or release.
func CheckFresh(token, call, nonce string, program Program) *Verdict {
	signed := readSigned(token, call, program)
	if !signed.Accepted() {
		return signed
	}
	if signed.Claims["nonce"] != nonce {
		return &Verdict{Error: "nonce"}
	}
	return &Verdict{Claims: signed.Claims, Mark: signed.iat()}
}

// CheckStored judges a token that the program kept.
func CheckStored(token string, program Program) *Verdict {
	return checkTime(readSigned(token, inStore, program), program)
}

// checkTime is steps 12 to 14, for a token that was kept or stands in a file.
func checkTime(signed *Verdict, program Program) *Verdict {
	if !signed.Accepted() {
		return signed
	}
	now := program.now()
	if program.Back > backSeconds || program.Clock < now-backSeconds {
		return &Verdict{Error: "clock_back", Claims: signed.Claims, Mark: now}
	}
	if signed.iat() > now+aheadSeconds {
		return &Verdict{Error: "future", Claims: signed.Claims, Mark: now}
	}
	if now >= *seconds(signed.Claims["exp"]) {
		return &Verdict{Error: "expired", Claims: signed.Claims, Mark: now}
	}
	return &Verdict{Claims: signed.Claims, Mark: now}
}

// CheckFile judges a licence file: a token between two lines, broken into lines.
func CheckFile(text string, program Program) *Verdict {
	return checkTime(readFileToken(text, program), program)
}

func readFileToken(text string, program Program) *Verdict {
	return readSigned(fileToken(text), inFile, program)
}

// fileToken is the token in the text of a licence file, whatever stands around it; empty where there is none.
func fileToken(text string) string {
	const begin, end = "-----BEGIN LICENSE FILE-----", "-----END LICENSE FILE-----"
	from := strings.Index(text, begin)
	if from < 0 {
		return ""
	}
	inside := text[from+len(begin):]
	until := strings.Index(inside, end)
	if until < 0 {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if isBlank(r) {
			return -1
		}
		return r
	}, inside[:until])
}

// claimsOf are what a token says, before anything of it is checked.
func claimsOf(token string) map[string]any {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil
	}
	return readObject(fromBase64url(parts[1]))
}

func keyHashIn(token string) string {
	named, _ := claimsOf(token)["key_hash"].(string)
	return named
}

// A token stands as the answer to a call, or as one of these.
const (
	inStore = "stored"
	inFile  = "file"
)

// isAnswerTo says whether a token may stand where it does. What is kept is the last word of a check, which a
// validation has only where it refuses.
func isAnswerTo(role string, claims map[string]any) bool {
	call := claims["call"]
	if role != inStore {
		return call == role
	}
	return call == "activate" || call == "heartbeat" || (call == "validate" && claims["valid"] != true)
}

// readSigned is steps 1 to 11: what every token must pass.
func readSigned(token, role string, program Program) *Verdict {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return &Verdict{Error: "malformed"}
	}
	header := readObject(fromBase64url(parts[0]))
	if header == nil {
		return &Verdict{Error: "malformed"}
	}
	if header["alg"] != "ES256" {
		return &Verdict{Error: "algorithm"}
	}
	typ := "license+jwt"
	if role == inFile {
		typ = "license-file+jwt"
	}
	if header["typ"] != typ {
		return &Verdict{Error: "type"}
	}
	kid, _ := header["kid"].(string)
	key := program.Keys[kid]
	if key == nil {
		return &Verdict{Error: "unknown_key"}
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	signature := fromBase64url(parts[2])
	// ecdsa.Verify refuses r and s outside of 1 to n-1.
	if len(signature) != 64 || !ecdsa.Verify(key, digest[:], number(signature[:32]), number(signature[32:])) {
		return &Verdict{Error: "signature"}
	}
	claims := readObject(fromBase64url(parts[1]))
	if claims == nil || seconds(claims["iat"]) == nil || seconds(claims["exp"]) == nil {
		return &Verdict{Error: "malformed"}
	}
	if claims["aud"] != program.Software {
		return &Verdict{Error: "audience"}
	}
	if claims["mid"] != hash(trim(program.MachineID)) {
		return &Verdict{Error: "machine"}
	}
	// Without these a relay answers with the server's own words about another key, or about another call.
	if claims["key_hash"] != program.hashOfKey() {
		return &Verdict{Error: "key_hash"}
	}
	if !isAnswerTo(role, claims) {
		return &Verdict{Error: "call"}
	}
	if claims["valid"] == true && claims["seat"] != true {
		return &Verdict{Error: "seat"}
	}
	return &Verdict{Claims: forBuild(claims, program.ReleasedOn)}
}

// forBuild refuses a build that came out after the last day of updates; older ones a valid token lets run.
func forBuild(claims map[string]any, releasedOn string) map[string]any {
	until, _ := claims["updates_until"].(string)
	if claims["valid"] == true && until != "" && releasedOn > until {
		claims["valid"], claims["reason"] = false, "updates_ended"
	}
	return claims
}

// PublicKeys reads keys by their kid. It fails for one that is no point of P-256.
func PublicKeys(keys []Key) (map[string]*ecdsa.PublicKey, error) {
	all := map[string]*ecdsa.PublicKey{}
	for _, key := range keys {
		x, y := number(fromBase64url(key.X)), number(fromBase64url(key.Y))
		if !elliptic.P256().IsOnCurve(x, y) {
			return nil, &OptionError{"keys", key.Kid + " is no key of P-256"}
		}
		all[key.Kid] = &ecdsa.PublicKey{Curve: elliptic.P256(), X: x, Y: y}
	}
	return all, nil
}

// ---------------------------------------------------------------- The store

// kept is what the store holds: whose token it is (SHA-256 of the key), the token, and what is known of the time.
type kept struct {
	License string `json:"license"`
	Token   string `json:"token"`
	Before  string `json:"before,omitempty"` // a good token from before, beside the refusal of a newer build
	Mark    *int64 `json:"mark"`
	Back    int64  `json:"back"`
	Leap    int64  `json:"leap"`
	Issued  *int64 `json:"issued"`
	times
}

// readStore counts a file that cannot be read as empty. It and what follows is for who holds files.
func (l *License) readStore() kept {
	if l.unwritten != nil {
		return *l.unwritten
	}
	content, err := readWhole(l.options.Store)
	if err != nil && !isMissing(err) {
		l.failStore(err)
	}
	return keptIn(content)
}

func (l *License) problemOfStore() string {
	l.files.Lock()
	defer l.files.Unlock()
	return l.storeError
}

func keptIn(content []byte) kept {
	object := readObject(bytes.TrimPrefix(decoded(content), []byte("\ufeff")))
	text := func(name string) string { value, _ := object[name].(string); return value }
	count := func(name string) int64 {
		if value := seconds(object[name]); value != nil {
			return *value
		}
		return 0
	}
	return kept{
		License: text("license"), Token: text("token"), Before: text("before"), Mark: seconds(object["mark"]),
		Back: count("back"), Leap: count("leap"), Issued: seconds(object["issued"]),
		times: times{Clock: seconds(object["clock"]), Run: text("run"), Ticks: seconds(object["ticks"])},
	}
}

func (l *License) writeStore(now kept) {
	l.unwritten, l.storeError = nil, ""
	text, err := json.Marshal(now)
	if err == nil {
		err = replaceFile(l.options.Store, text)
	}
	if err != nil {
		l.unwritten = &now
		l.failStore(err)
	}
}

func (l *License) failStore(err error) {
	l.storeError = storeErrorOf(err)
	l.log("store_"+l.storeError, "")
}

func storeErrorOf(err error) string {
	windows := func(code syscall.Errno) bool { return runtime.GOOS == "windows" && errors.Is(err, code) }
	const handleDiskFull, diskFull, writeProtected = 39, 112, 19
	switch {
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || windows(writeProtected):
		return "denied"
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || windows(diskFull) || windows(handleDiskFull):
		return "full"
	}
	return "failed"
}

// replaceFile writes a second file and renames it, so that a reader sees the old one or the new one. It makes the folder.
func replaceFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	second := path + "." + hex.EncodeToString(random(8)) + ".tmp"
	file, err := os.OpenFile(second, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(second, path)
	}
	if err != nil {
		_ = os.Remove(second)
	}
	return err
}

// mostStore is the size of a store above which it counts as empty.
const mostStore = 1024 * 1024

// readWhole reads a file that may be a store.
func readWhole(path string) ([]byte, error) {
	read, err := readStart(path, mostStore+1)
	if err != nil || len(read) > mostStore {
		return nil, err
	}
	return read, nil
}

// readStart reads the first bytes of a file.
func readStart(path string, most int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}

// decoded is UTF-8, also where an editor wrote UTF-16 with its mark.
func decoded(text []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		order = binary.BigEndian
	case !bytes.HasPrefix(text, []byte{0xFF, 0xFE}):
		return text
	}
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = order.Uint16(text[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func textOf(path string) string {
	read, _ := readStart(path, mostBytes)
	return trim(string(decoded(read)))
}

// ---------------------------------------------------------------- The time (docs/offline.md, The clock)

// startSeconds are what a start counts whose clock is not later than at the last check.
const startSeconds = 10 * 60

// times are the clock of the computer, and a counter of seconds that nobody sets. Run names the counter: numbers of one
// run can be compared.
type times struct {
	Clock *int64 `json:"clock"`
	Run   string `json:"run"`
	Ticks *int64 `json:"ticks"`
}

var (
	started = time.Now()
	process = hex.EncodeToString(random(16))
)

// counter takes that of Linux from a file, which a faked clock of the process does not reach; other systems have that of
// the process.
func (l *License) counter() (run string, ticks float64) {
	if l.options.Uptime != nil {
		return "given", float64(l.options.Uptime())
	}
	boot := textOf("/proc/sys/kernel/random/boot_id")
	if _, err := fmt.Sscan(textOf("/proc/uptime"), &ticks); err == nil && boot != "" {
		return boot, ticks
	}
	return process, time.Since(started).Seconds()
}

func (l *License) timesNow() times {
	clock := l.options.Clock()
	run, seconds := l.counter()
	ticks := int64(seconds)
	return times{&clock, run, &ticks}
}

// knownTime has in least the mark with the time that was measured since, nil where there is no mark; in back and leap the
// seconds of the clock's steps back and ahead.
type knownTime struct {
	clock      int64
	least      *int64
	back, leap int64
}

// timeOf says which rule of the clock bites besides.
func timeOf(old kept, mark *int64, now times) (known knownTime, bites string) {
	known = knownTime{clock: *now.Clock, back: old.Back, leap: old.Leap}
	step := int64(0)
	if old.Clock != nil {
		step = known.clock - *old.Clock
	}
	if step < 0 {
		known.back, bites = known.back-step, "clock_back"
	}
	if mark == nil {
		return known, bites
	}
	passed := int64(0)
	if old.Run == now.Run && old.Ticks != nil && *now.Ticks >= *old.Ticks {
		passed = *now.Ticks - *old.Ticks
	} else if old.Clock != nil && step <= 0 {
		passed = startSeconds
	}
	least := *mark + passed
	known.least = &least
	if bites == "" && passed-step > 60 {
		bites = "clock_still"
	}
	return known, bites
}

func (k knownTime) passes(signed *Verdict) bool {
	return checkTime(signed, Program{Clock: k.clock, Mark: k.least, Back: k.back}).Accepted()
}

// timeByFile is the same without the leaps of the clock, where a file needs that and was issued after every token that
// decided before. No time comes back that was lived through: the mark without its leaps stays.
func timeByFile(file *Verdict, issued *int64, known knownTime) knownTime {
	if !file.Accepted() || (issued != nil && file.iat() <= *issued) || known.passes(file) {
		return known
	}
	least := file.iat()
	if known.least != nil && *known.least-known.leap > least {
		least = *known.least - known.leap
	}
	if anew := (knownTime{clock: known.clock, least: &least}); anew.passes(file) {
		return anew
	}
	return known
}

// timeAfter is what is kept of the time after a check that judged known; best decided if it was accepted.
func timeAfter(issued *int64, known knownTime, best, first *Verdict) kept {
	now := first.Mark
	after := kept{Mark: &now, Back: known.back, Leap: known.leap, Issued: issued}
	before := first.iat()
	if known.least != nil {
		before = *known.least
	}
	if now-before > backSeconds {
		after.Leap += now - before
	}
	if best.Accepted() && (issued == nil || best.iat() > *issued) {
		iat := best.iat()
		after.Back, after.Issued = 0, &iat
	}
	return after
}

// ---------------------------------------------------------------- The machine

var (
	keptID      = regexp.MustCompile(`^[0-9a-f]{32}$`)
	windowsGUID = regexp.MustCompile(`MachineGuid\s+REG_SZ\s+(\S+)`)
	macUUID     = regexp.MustCompile(`"IOPlatformUUID" = "([^"]+)"`)
)

// MachineID is SHA-256 of the system's own id, the software and the instance, if there is one; where the system has no
// id, of digits kept beside the store, which without an instance are the id. Never a network address.
func MachineID(software, store, instance string) string {
	if instance != "" {
		software += "\n" + instance
	}
	if id := systemID(); id != "" {
		return hash(id + "\n" + software)
	}
	path := store + ".machine"
	digits := textOf(path)
	if !keptID.MatchString(digits) {
		digits = hex.EncodeToString(random(16))
		_ = replaceFile(path, []byte(digits))
	}
	if instance != "" {
		return hash(digits + "\n" + software)
	}
	return digits
}

func systemID() string {
	switch runtime.GOOS {
	case "windows":
		reg := filepath.Join(os.Getenv("SystemRoot"), "System32", "reg.exe")
		guid := run(reg, "query", `HKLM\SOFTWARE\Microsoft\Cryptography`, "/v", "MachineGuid", "/reg:64")
		return found(windowsGUID, guid)
	case "darwin":
		return found(macUUID, run("/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice"))
	}
	for _, path := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		if id := textOf(path); id != "" && id != "uninitialized" {
			return id
		}
	}
	return ""
}

// systemName is the system's name and version, at most 100 characters.
func systemName() string {
	switch runtime.GOOS {
	case "windows":
		return line(run(filepath.Join(os.Getenv("SystemRoot"), "System32", "cmd.exe"), "/c", "ver"), 100)
	case "darwin":
		return line("macOS "+run("/usr/bin/sw_vers", "-productVersion"), 100)
	case "linux":
		return line("Linux "+textOf("/proc/sys/kernel/osrelease"), 100)
	}
	return runtime.GOOS
}

func computerName() string {
	name, _ := os.Hostname()
	return line(name, 200)
}

func line(text string, most int) string {
	return cut(trim(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)), most)
}

// cut counts characters, not bytes.
func cut(text string, most int) string {
	signs := []rune(text)
	if len(signs) > most {
		return string(signs[:most])
	}
	return text
}

func found(pattern *regexp.Regexp, text string) string {
	if match := pattern.FindStringSubmatch(text); match != nil {
		return match[1]
	}
	return ""
}

func run(command string, arguments ...string) string {
	output, _ := exec.Command(command, arguments...).Output()
	return string(output)
}

// ---------------------------------------------------------------- Small tools

var base64url = regexp.MustCompile(`^[A-Za-z0-9_-]*$`)

// isBlank says what the server takes for a blank.
func isBlank(r rune) bool {
	return strings.ContainsRune("\t\n\v\f\r\ufeff", r) || unicode.Is(unicode.Z, r)
}

func trim(text string) string { return strings.TrimFunc(text, isBlank) }

func hash(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:])
}

// hashOfKey is the same however the key is typed.
func hashOfKey(key string) string { return hash(countedOf(key)) }

var (
	keyForm    = regexp.MustCompile(`^[A-Z0-9]{25}$`)
	wrongSigns = "0O1I"
)

// hasWrongSigns says whether a key has the length of those made by the server, and a sign that they never have.
func hasWrongSigns(key string) bool {
	counted := countedOf(key)
	return keyForm.MatchString(counted) && strings.ContainsAny(counted, wrongSigns)
}

// countedOf is the printable ASCII of a key but its hyphens, in capitals.
func countedOf(key string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= '!' && r <= '~' && r != '-':
			return r
		}
		return -1
	}, key)
}

func random(count int) []byte {
	read := make([]byte, count)
	if _, err := rand.Read(read); err != nil {
		panic(err) // a system without random numbers; Check answers with a refusal
	}
	return read
}

func number(read []byte) *big.Int { return new(big.Int).SetBytes(read) }

// fromBase64url gives nothing where the text has padding or a letter outside the alphabet.
func fromBase64url(text string) []byte {
	if !base64url.MatchString(text) {
		return nil // the decoder would skip line ends
	}
	read, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return read
}

// readObject gives the object that this JSON holds, or nil.
func readObject(text []byte) map[string]any {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return nil
	}
	object, _ := value.(map[string]any)
	return object
}

// seconds gives a whole number from 0 to 2^53 - 1, else nil.
func seconds(value any) *int64 {
	read, isNumber := value.(float64)
	if !isNumber || read < 0 || read >= 1<<53 || read != math.Trunc(read) {
		return nil
	}
	whole := int64(read)
	return &whole
}

// ---------------------------------------------------------------- Texts for the program's user

// messages are those of sdk/messages.json.
var messages = map[string]map[string]string{
	"es": {
		"not_found":                  "La licencia no existe. Hay que revisar la clave, o pedirla de nuevo al proveedor.",
		"wrong_software":             "La clave es de otro programa. Hay que escribir la clave de este, o pedirla al proveedor.",
		"inactive":                   "La licencia no está activa. Para activarla hay que comunicarse con el proveedor.",
		"suspended":                  "La licencia está suspendida. Para usarla de nuevo hay que comunicarse con el proveedor.",
		"cancelled":                  "La licencia está cancelada. Para seguir con el programa hay que comunicarse con el proveedor.",
		"expired":                    "La licencia venció. Para seguir con el programa hay que renovarla con el proveedor.",
		"expired_offline":            "La licencia venció. Hay que renovarla con el proveedor; si ya se renovó, basta conectar el equipo a internet una vez.",
		"updates_ended":              "La licencia no incluye esta versión del programa. Hay que instalar una versión anterior, o renovar las actualizaciones con el proveedor.",
		"installation_limit":         "La licencia ya se usa en todos los equipos que permite. Hay que liberar un lugar en otro equipo, o pedir más lugares al proveedor.",
		"not_activated":              "Este equipo no tiene lugar en la licencia. Hay que abrir el programa con conexión a internet, o comunicarse con el proveedor.",
		"no_connection":              "No hay conexión con el servidor de licencias. Hay que conectar el equipo a internet e intentar de nuevo.",
		"unverified":                 "La respuesta no viene del servidor de licencias. Hay que revisar la red de este equipo, o comunicarse con el proveedor.",
		"offline_expired":            "Terminó el tiempo para trabajar sin conexión. Hay que conectar el equipo a internet una vez, o pedir al proveedor un archivo de licencia nuevo.",
		"offline_expired_because":    "Terminó el tiempo para trabajar sin conexión.",
		"clock_back":                 "El reloj de este equipo no es correcto. Hay que corregir la fecha y la hora, conectar el equipo a internet una vez, o pedir al proveedor un archivo de licencia nuevo.",
		"future":                     "La fecha de este equipo es anterior a la de la licencia. Hay que corregir la fecha y la hora del equipo.",
		"unknown":                    "La licencia no permite usar el programa ({reason}). Hay que comunicarse con el proveedor.",
		"detail_dns":                 "No se encuentra la dirección del servidor de licencias. Hay que revisar la conexión a internet de este equipo y su servidor DNS.",
		"detail_tls":                 "No se pudo abrir una conexión segura con el servidor de licencias. Hay que revisar la fecha y la hora de este equipo, y si un antivirus o un proxy vigila la conexión; si todo está bien, avisar al proveedor.",
		"detail_proxy":               "El proxy de la red no deja llegar al servidor de licencias. Hay que revisar la configuración del proxy, o pedir ayuda a quien administra la red.",
		"detail_timeout":             "El servidor de licencias no respondió a tiempo. Hay que intentar de nuevo en unos minutos, y revisar la conexión a internet si se repite.",
		"detail_unreachable":         "No hay conexión con el servidor de licencias. Hay que revisar la conexión a internet y el cortafuegos de este equipo.",
		"detail_rate_limited":        "El servidor de licencias recibió demasiadas preguntas. Hay que esperar un minuto e intentar de nuevo.",
		"detail_server_error":        "El servidor de licencias tiene una falla o está en mantenimiento. Hay que intentar de nuevo en unos minutos, y avisar al proveedor si se repite.",
		"detail_not_the_server":      "La respuesta no viene del servidor de licencias. Hay que iniciar sesión en la red si lo pide, y revisar el proxy o el antivirus de este equipo.",
		"detail_wrong_key":           "El programa no reconoce la firma del servidor de licencias. Hay que instalar la última versión del programa, o avisar al proveedor.",
		"detail_key_signs":           "La clave no existe. Las claves no llevan los signos 0, O, 1 ni I: hay que compararla letra por letra con la del correo.",
		"detail_file_missing":        "No se encuentra el archivo de licencia. Hay que copiarlo a su lugar, o pedirlo al proveedor.",
		"detail_file_unreadable":     "El archivo de licencia no se puede leer. Hay que revisar los permisos del archivo y de su carpeta.",
		"detail_file_damaged":        "El archivo de licencia está dañado o incompleto. Hay que copiarlo otra vez, o pedirlo de nuevo al proveedor.",
		"detail_file_other_machine":  "El archivo de licencia es de otro equipo. Hay que pedir al proveedor uno para este equipo.",
		"detail_file_other_software": "El archivo de licencia es de otro programa. Hay que pedir al proveedor el de este programa.",
		"detail_file_other_key":      "El archivo de licencia es de otra clave. Hay que escribir la clave del archivo, o pedir al proveedor uno para esta clave.",
		"store_denied":               "El programa no tiene permiso para guardar la licencia en este equipo, y sin eso no funciona sin conexión. Hay que revisar los permisos de su carpeta de datos.",
		"store_full":                 "El disco está lleno: el programa no puede guardar la licencia, y sin eso no funciona sin conexión. Hay que liberar espacio.",
		"store_failed":               "El programa no puede guardar la licencia en este equipo, y sin eso no funciona sin conexión. Hay que revisar su carpeta de datos.",
		"offline_ends":               "El programa trabaja sin conexión y dejará de funcionar en {hours} h. Antes hay que conectar el equipo a internet, o pedir al proveedor un archivo de licencia nuevo.",
		"offline_ends_because":       "El programa trabaja sin conexión y dejará de funcionar en {hours} h.",
		"grace":                      "La licencia venció y el programa dejará de funcionar pronto. Hay que renovarla con el proveedor.",
		"grace_days":                 "La licencia venció y el programa dejará de funcionar en {days} días. Hay que renovarla con el proveedor.",
	},
	"en": {
		"not_found":                  "The licence does not exist. Check the key, or ask the vendor for it again.",
		"wrong_software":             "The key is for another program. Enter the key of this one, or ask the vendor for it.",
		"inactive":                   "The licence is not active. Contact the vendor to have it activated.",
		"suspended":                  "The licence is suspended. Contact the vendor to use it again.",
		"cancelled":                  "The licence is cancelled. Contact the vendor to go on with the program.",
		"expired":                    "The licence has expired. Renew it with the vendor to go on with the program.",
		"expired_offline":            "The licence has expired. Renew it with the vendor; if it was renewed, connect the computer to the internet once.",
		"updates_ended":              "The licence does not include this version of the program. Install an earlier version, or renew the updates with the vendor.",
		"installation_limit":         "The licence is in use on all the computers that it allows. Free a seat on another computer, or ask the vendor for more.",
		"not_activated":              "This computer has no seat in the licence. Open the program with an internet connection, or contact the vendor.",
		"no_connection":              "There is no connection to the licence server. Connect the computer to the internet and try again.",
		"unverified":                 "The answer does not come from the licence server. Check the network of this computer, or contact the vendor.",
		"offline_expired":            "The time for working without a connection is over. Connect the computer to the internet once, or ask the vendor for a new licence file.",
		"offline_expired_because":    "The time for working without a connection is over.",
		"clock_back":                 "The clock of this computer is not right. Set the date and the time, connect the computer to the internet once, or ask the vendor for a new licence file.",
		"future":                     "The date of this computer is earlier than that of the licence. Set the date and the time of the computer.",
		"unknown":                    "The licence does not allow the use of the program ({reason}). Contact the vendor.",
		"detail_dns":                 "The address of the licence server cannot be found. Check the internet connection of this computer and its DNS server.",
		"detail_tls":                 "No secure connection to the licence server could be opened. Check the date and the time of this computer, and whether an antivirus or a proxy watches the connection; if all is well, tell the vendor.",
		"detail_proxy":               "The proxy of the network does not let the program reach the licence server. Check the settings of the proxy, or ask whoever runs the network.",
		"detail_timeout":             "The licence server did not answer in time. Try again in a few minutes, and check the internet connection if it happens again.",
		"detail_unreachable":         "There is no connection to the licence server. Check the internet connection and the firewall of this computer.",
		"detail_rate_limited":        "The licence server was asked too often. Wait a minute and try again.",
		"detail_server_error":        "The licence server has a fault or is under maintenance. Try again in a few minutes, and tell the vendor if it happens again.",
		"detail_not_the_server":      "The answer does not come from the licence server. Sign in to the network if it asks for that, and check the proxy or the antivirus of this computer.",
		"detail_wrong_key":           "The program does not know the signature of the licence server. Install the latest version of the program, or tell the vendor.",
		"detail_key_signs":           "The key does not exist. Keys have no 0, O, 1 or I: compare it letter by letter with the one in the mail.",
		"detail_file_missing":        "The licence file cannot be found. Copy it to its place, or ask the vendor for it.",
		"detail_file_unreadable":     "The licence file cannot be read. Check the permissions of the file and of its folder.",
		"detail_file_damaged":        "The licence file is damaged or not complete. Copy it once more, or ask the vendor for it again.",
		"detail_file_other_machine":  "The licence file is for another computer. Ask the vendor for one for this computer.",
		"detail_file_other_software": "The licence file is for another program. Ask the vendor for the one of this program.",
		"detail_file_other_key":      "The licence file is for another key. Enter the key of the file, or ask the vendor for one for this key.",
		"store_denied":               "The program may not save the licence on this computer, and without that it does not work without a connection. Check the permissions of its data folder.",
		"store_full":                 "The disk is full: the program cannot save the licence, and without that it does not work without a connection. Free some space.",
		"store_failed":               "The program cannot save the licence on this computer, and without that it does not work without a connection. Check its data folder.",
		"offline_ends":               "The program works without a connection and will stop in {hours} h. Before that connect the computer to the internet, or ask the vendor for a new licence file.",
		"offline_ends_because":       "The program works without a connection and will stop in {hours} h.",
		"grace":                      "The licence has expired and the program will stop soon. Renew it with the vendor.",
		"grace_days":                 "The licence has expired and the program will stop in {days} days. Renew it with the vendor.",
	},
}
