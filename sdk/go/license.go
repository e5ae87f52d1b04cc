// Package license asks the server whether a licence holds on this computer, and answers without connection from what
// it kept.
//
//	program, err := license.New(license.Options{Server: server, Software: software, Keys: keys, Store: store})
//	result := program.Check(key)
//	if !result.OK { explainAndStop(result.Reason) }
//	if program.Has("modulo_nomina") { openPayroll() }
//
// The SDKs of all languages do the same in the same order: sdk/README.md describes it, docs/offline.md the token.
package license

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode"
)

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
	AppVersion  string        // the version of the program, which the server counts
	Timeout     time.Duration // for each call to the server, 5 seconds by default
	Clock       func() int64  // for tests: gives the seconds since 1970
	Uptime      func() int64  // for tests: gives the seconds of a counter that nobody sets
}

// Result says whether the program may run.
type Result struct {
	OK       bool
	Reason   string         // empty when OK, else a reason of the server or of the SDK (sdk/README.md lists them)
	Offline  bool           // whether this comes from what was kept, or from a file
	DaysLeft *int64         // whole days until the licence ends, as the console counts them; nil: no end
	Features map[string]any // the licence's codes with their values: bool, float64 or string

	ExpiresAt    *time.Time    // when the licence ends; nil: no end, or nobody said it
	InGrace      bool          // whether the licence has ended and is in its grace
	GraceUntil   *time.Time    // when the grace ends; nil outside of it
	OfflineUntil *time.Time    // until when the program may work without connection; nil when not OK
	Type, Status string        // of the licence, such as trial and active; empty where nobody said it
	NextCheck    time.Duration // when to check again
	UpdatesUntil string        // the last day of updates, such as 2027-01-31; empty where the server says none
}

// ---------------------------------------------------------------- The licence

// paths are those of the calls, by their names in tokens.
var paths = map[string]string{
	"validate":  "/licenses/api/license/validate/",
	"activate":  "/licenses/api/installations/",
	"heartbeat": "/licenses/api/installation/heartbeat/",
	"release":   "/licenses/api/installations/release/",
}

// License may be used by several goroutines; their calls of Check and Release wait for one another.
type License struct {
	options Options
	keys    map[string]*ecdsa.PublicKey
	client  *http.Client

	calls     sync.Mutex // held by a whole call
	unwritten *kept      // what could not be written to the store, used instead of it until a write succeeds

	reads sync.Mutex // held while last is read or written
	last  Result
}

// New tells a wrong option, which is a mistake of the programmer.
func New(options Options) (*License, error) {
	address, err := url.Parse(options.Server)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" {
		return nil, errors.New("server: an address such as https://licencias.example.com")
	}
	switch {
	case trim(options.Software) == "":
		return nil, errors.New("software: its code")
	case options.Store == "":
		return nil, errors.New("store: the path of a file")
	case len(options.Keys) == 0:
		return nil, errors.New("keys: one public key or more")
	case options.Timeout < 0:
		return nil, errors.New("timeout: more than 0")
	}
	keys, err := PublicKeys(options.Keys)
	if err != nil {
		return nil, err
	}
	options.Server = strings.TrimRight(options.Server, "/")
	if options.MachineID = trim(options.MachineID); options.MachineID == "" {
		options.MachineID = MachineID(options.Software, options.Store)
	}
	if options.MachineName == "" {
		options.MachineName = computerName()
	}
	if options.Timeout == 0 {
		options.Timeout = 5 * time.Second
	}
	if options.Clock == nil {
		options.Clock = func() int64 { return time.Now().Unix() }
	}
	client := &http.Client{
		Timeout:       options.Timeout, // of the whole call, with the body
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &License{options: options, keys: keys, client: client, last: refused("no_connection", false)}, nil
}

// MachineID is the id of this computer for this software, which a licence file is issued for.
func (l *License) MachineID() string { return l.options.MachineID }

// Check says whether the licence of this key holds on this computer. It asks the server twice at most. Without a key the
// licence file decides, and the server is not asked.
func (l *License) Check(key string) (result Result) {
	l.calls.Lock()
	defer l.calls.Unlock()
	defer func() {
		if recover() != nil {
			result = refused("no_connection", true) // such as a clock of the program that panics
		}
		l.remember(result)
	}()
	return l.judge(trim(key))
}

// Has says whether the last check was OK and the licence has this code with a value other than false.
func (l *License) Has(code string) bool {
	l.reads.Lock()
	defer l.reads.Unlock()
	value := l.last.Features[code]
	return l.last.OK && value != nil && value != false
}

// Release gives the seat back. It is true when the server signed that this computer has none now.
func (l *License) Release(key string) (released bool) {
	l.calls.Lock()
	defer l.calls.Unlock()
	defer func() { released = recover() == nil && released }()
	if !l.ask("release", trim(key), map[string]any{}).verdict.says("not_activated") {
		return false
	}
	old := l.readStore()
	old.License, old.Token, old.Mark = "", "", markOf(l.program(trim(key)), old)
	l.writeStore(old)
	l.remember(refused("not_activated", false))
	return true
}

func (l *License) remember(result Result) {
	l.reads.Lock()
	defer l.reads.Unlock()
	l.last = result
}

func (l *License) judge(key string) Result {
	if key == "" {
		return l.byFile()
	}
	got := l.ask("validate", key, map[string]any{"require_seat": true})
	if got.verdict.says("not_activated") {
		more := l.aboutProgram()
		if l.options.MachineName != "" {
			more["machine_name"] = l.options.MachineName
		}
		got = l.ask("activate", key, more)
	} else if got.verdict.Valid() {
		got = l.ask("heartbeat", key, l.aboutProgram())
	}
	if got.verdict == nil {
		return l.withoutConnection(l.program(key), got)
	}
	iat := &got.verdict.Mark
	l.writeStore(kept{License: hashOfKey(key), Token: got.token, Mark: iat, Issued: iat, times: l.timesNow()})
	return resultOf(got.verdict, false)
}

// byFile takes the key's hash from the file. The server cannot be asked without the key.
func (l *License) byFile() Result {
	program := l.program("")
	program.keyHash = keyHashIn(fileToken(l.fileText()))
	if program.keyHash == "" || !readFileToken(l.fileText(), program).Accepted() {
		return refused("not_found", false)
	}
	return l.withoutConnection(program, answer{})
}

func (l *License) fileText() string {
	if l.options.File == "" {
		return ""
	}
	return string(readFile(l.options.File))
}

// withoutConnection judges what was kept and the file; the later of those that pass decides, so that an old file
// undoes no refusal.
func (l *License) withoutConnection(program Program, got answer) Result {
	old := l.readStore()
	times := l.timesNow() // after the store: what another process writes cannot make this clock look set back
	known := timeOf(old, markOf(program, old), times)
	known = timeByFile(readFileToken(l.fileText(), program), old.Issued, known)
	program.Clock, program.Mark, program.Back = known.clock, known.least, known.back
	own, filed := &Verdict{Error: "malformed"}, CheckFile(l.fileText(), program)
	if old.License == program.hashOfKey() {
		own = CheckStored(old.Token, program)
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
		after.License, after.Token, after.times = old.License, old.Token, times
		l.writeStore(after)
	}
	if later.Accepted() {
		return resultOf(later, true)
	}
	for _, verdict := range []*Verdict{own, filed} {
		switch verdict.Error {
		case "expired":
			return refused("offline_expired", true)
		case "clock_back", "future":
			return refused(verdict.Error, true)
		}
	}
	if got.isNone() {
		return refused("no_connection", false)
	}
	return refused("unverified", false)
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
	return about
}

func (l *License) program(key string) Program {
	return Program{Keys: l.keys, Software: l.options.Software, MachineID: l.options.MachineID, LicenseKey: key}
}

// markOf is the highest time that the program knows; nil before the first answer.
func markOf(program Program, old kept) *int64 {
	signed := readSigned(old.Token, inStore, program)
	if signed.Accepted() && (old.Mark == nil || signed.iat() > *old.Mark) {
		iat := signed.iat()
		return &iat
	}
	return old.Mark
}

// ---------------------------------------------------------------- Asking the server

const (
	mostBytes = 64 * 1024
	userAgent = "license-manager-go/0.2.0"
)

// answer has the status (0: none came), the token, and the verdict if the token passes.
type answer struct {
	status  int
	token   string
	verdict *Verdict
}

func (a answer) isNone() bool { return a.status == 0 || a.status == 429 || a.status >= 500 }

// ask makes a call with a separate nonce and judges the answer as a fresh one.
func (l *License) ask(call, key string, question map[string]any) answer {
	nonce := base64.RawURLEncoding.EncodeToString(random(16))
	question["license_key"] = key
	question["machine_id"] = l.options.MachineID
	question["software"] = l.options.Software
	question["nonce"] = nonce
	got := l.post(paths[call], question)
	if verdict := CheckFresh(got.token, call, nonce, l.program(key)); verdict.Accepted() {
		got.verdict = verdict
	}
	return got
}

func (l *License) post(path string, question map[string]any) answer {
	body, err := json.Marshal(question)
	if err != nil {
		return answer{}
	}
	request, err := http.NewRequest(http.MethodPost, l.options.Server+path, bytes.NewReader(body))
	if err != nil {
		return answer{}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", userAgent)
	response, err := l.client.Do(request)
	if err != nil {
		return answer{}
	}
	defer response.Body.Close()
	read, err := io.ReadAll(io.LimitReader(response.Body, mostBytes+1))
	if err != nil {
		return answer{}
	}
	if len(read) > mostBytes {
		read = nil
	}
	token, _ := readObject(read)["token"].(string)
	return answer{status: response.StatusCode, token: token}
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

// fileToken is the token in the text of a licence file, empty where there is none.
func fileToken(text string) string {
	const begin, end = "-----BEGIN LICENSE FILE-----", "-----END LICENSE FILE-----"
	file := trim(text)
	if !strings.HasPrefix(file, begin) || !strings.HasSuffix(file, end) || len(file) < len(begin)+len(end) {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if isBlank(r) {
			return -1
		}
		return r
	}, file[len(begin):len(file)-len(end)])
}

// keyHashIn is what a token names, before anything of it is checked.
func keyHashIn(token string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	named, _ := readObject(fromBase64url(parts[1]))["key_hash"].(string)
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
	return &Verdict{Claims: claims}
}

// PublicKeys reads keys by their kid. It fails for one that is no point of P-256.
func PublicKeys(keys []Key) (map[string]*ecdsa.PublicKey, error) {
	all := map[string]*ecdsa.PublicKey{}
	for _, key := range keys {
		x, y := number(fromBase64url(key.X)), number(fromBase64url(key.Y))
		if !elliptic.P256().IsOnCurve(x, y) {
			return nil, fmt.Errorf("keys: %s is no key of P-256", key.Kid)
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
	Mark    *int64 `json:"mark"`
	Back    int64  `json:"back"`
	Leap    int64  `json:"leap"`
	Issued  *int64 `json:"issued"`
	times
}

// readStore counts a file that cannot be read as empty.
func (l *License) readStore() kept {
	if l.unwritten != nil {
		return *l.unwritten
	}
	object := readObject(readFile(l.options.Store))
	text := func(name string) string { value, _ := object[name].(string); return value }
	count := func(name string) int64 {
		if value := seconds(object[name]); value != nil {
			return *value
		}
		return 0
	}
	return kept{
		License: text("license"), Token: text("token"), Mark: seconds(object["mark"]),
		Back: count("back"), Leap: count("leap"), Issued: seconds(object["issued"]),
		times: times{Clock: seconds(object["clock"]), Run: text("run"), Ticks: seconds(object["ticks"])},
	}
}

func (l *License) writeStore(now kept) {
	l.unwritten = nil
	if text, err := json.Marshal(now); err != nil || !replaceFile(l.options.Store, text) {
		l.unwritten = &now
	}
}

// replaceFile writes a second file and renames it, so that a reader sees the old one or the new one.
func replaceFile(path string, text []byte) bool {
	second := path + "." + hex.EncodeToString(random(8)) + ".tmp"
	file, err := os.OpenFile(second, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return false
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
	return err == nil
}

// readFile reads at most 64 KiB; a file that is longer or cannot be read is empty.
func readFile(path string) []byte {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	read, err := io.ReadAll(io.LimitReader(file, mostBytes+1))
	if err != nil || len(read) > mostBytes {
		return nil
	}
	return read
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

// timesNow takes the counter of Linux from a file, which a faked clock of the process does not reach; other systems have
// that of the process.
func (l *License) timesNow() times {
	clock, run, ticks := l.options.Clock(), process, int64(time.Since(started).Seconds())
	boot := trim(string(readFile("/proc/sys/kernel/random/boot_id")))
	var uptime float64
	if _, err := fmt.Sscan(string(readFile("/proc/uptime")), &uptime); err == nil && boot != "" {
		run, ticks = boot, int64(uptime)
	}
	if l.options.Uptime != nil {
		run, ticks = "given", l.options.Uptime()
	}
	return times{&clock, run, &ticks}
}

// knownTime has in least the mark with the time that was measured since, nil where there is no mark; in back and leap the
// seconds of the clock's steps back and ahead.
type knownTime struct {
	clock      int64
	least      *int64
	back, leap int64
}

func timeOf(old kept, mark *int64, now times) knownTime {
	known := knownTime{clock: *now.Clock, back: old.Back, leap: old.Leap}
	if old.Clock != nil && *old.Clock > known.clock {
		known.back += *old.Clock - known.clock
	}
	if mark != nil {
		least := *mark
		if old.Run == now.Run && old.Ticks != nil && *now.Ticks >= *old.Ticks {
			least += *now.Ticks - *old.Ticks
		} else if old.Clock != nil && known.clock <= *old.Clock {
			least += startSeconds
		}
		known.least = &least
	}
	return known
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

// MachineID is SHA-256 of the system's own id and the software; where there is none, digits kept beside the store.
// Never a network address.
func MachineID(software, store string) string {
	if id := systemID(); id != "" {
		return hash(id + "\n" + software)
	}
	path := store + ".machine"
	if id := trim(string(readFile(path))); keptID.MatchString(id) {
		return id
	}
	made := hex.EncodeToString(random(16))
	replaceFile(path, []byte(made))
	return made
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
		if id := trim(string(readFile(path))); id != "" && id != "uninitialized" {
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
		return line("Linux "+string(readFile("/proc/sys/kernel/osrelease")), 100)
	}
	return runtime.GOOS
}

func computerName() string {
	name, _ := os.Hostname()
	return line(name, 200)
}

func line(text string, most int) string {
	clean := []rune(trim(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)))
	if len(clean) > most {
		clean = clean[:most]
	}
	return string(clean)
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

// hashOfKey is of the printable ASCII of a key but its hyphens, in capitals: the same however the key is typed.
func hashOfKey(key string) string {
	return hash(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= '!' && r <= '~' && r != '-':
			return r
		}
		return -1
	}, key))
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
