package license_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/license"
)

// What only Go has: contexts and a type of error. test/sdk/ tests the rest in all languages.

const key = "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE"

// vendor is a server whose answers are signed, which hangs on demand.
type vendor struct {
	private *ecdsa.PrivateKey
	server  *httptest.Server
	hangs   atomic.Bool
	calls   atomic.Int32
	gone    chan struct{}
}

func newVendor(t *testing.T) *vendor {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	v := &vendor{private: private, gone: make(chan struct{})}
	v.server = httptest.NewServer(http.HandlerFunc(v.answer))
	t.Cleanup(func() {
		close(v.gone)
		v.server.Close()
	})
	return v
}

func inBase64url(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

func hashOf(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:])
}

func (v *vendor) key() license.Key {
	return license.Key{
		Kid: "k", X: inBase64url(v.private.X.FillBytes(make([]byte, 32))), Y: inBase64url(v.private.Y.FillBytes(make([]byte, 32))),
	}
}

func (v *vendor) answer(response http.ResponseWriter, request *http.Request) {
	v.calls.Add(1)
	var asked struct {
		Software, Nonce string
		MachineID       string `json:"machine_id"`
		LicenseKey      string `json:"license_key"`
	}
	_ = json.NewDecoder(request.Body).Decode(&asked)
	if v.hangs.Load() {
		<-v.gone
		return
	}
	call := "heartbeat"
	if strings.Contains(request.URL.Path, "validate") {
		call = "validate"
	}
	now := time.Now().Unix()
	header, _ := json.Marshal(map[string]any{"alg": "ES256", "kid": "k", "typ": "license+jwt"})
	claims, _ := json.Marshal(map[string]any{
		"aud": asked.Software, "mid": hashOf(asked.MachineID), "nonce": asked.Nonce, "call": call,
		"key_hash": hashOf(strings.ReplaceAll(asked.LicenseKey, "-", "")),
		"iat":      now, "exp": now + 7*24*60*60, "valid": true, "seat": true, "features": map[string]any{},
	})
	signed := inBase64url(header) + "." + inBase64url(claims)
	digest := sha256.Sum256([]byte(signed))
	r, s, _ := ecdsa.Sign(rand.Reader, v.private, digest[:])
	signature := append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	_ = json.NewEncoder(response).Encode(map[string]any{"token": signed + "." + inBase64url(signature)})
}

func (v *vendor) program(t *testing.T) *license.License {
	t.Helper()
	program, err := license.New(license.Options{
		Server: v.server.URL, Software: "caja", Keys: []license.Key{v.key()}, MachineID: "caja-01",
		Store: filepath.Join(t.TempDir(), "store"), Timeout: 10 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func within(t *testing.T, most time.Duration, do func()) {
	t.Helper()
	began := time.Now()
	do()
	if waited := time.Since(began); waited > most {
		t.Errorf("waited %v, more than %v", waited, most)
	}
}

func TestAWrongOptionIsToldApart(t *testing.T) {
	good := license.Options{
		Server: "https://localhost", Software: "caja", Keys: []license.Key{newVendor(t).key()}, Store: "store",
	}
	cases := map[string]func(*license.Options){
		"server":   func(o *license.Options) { o.Server = "licencias.example.com" },
		"software": func(o *license.Options) { o.Software = " " },
		"keys": func(o *license.Options) {
			o.Keys = []license.Key{{Kid: "k", X: "AA", Y: inBase64url(big.NewInt(7).Bytes())}}
		},
		"store":    func(o *license.Options) { o.Store = "" },
		"timeout":  func(o *license.Options) { o.Timeout = -1 },
		"instance": func(o *license.Options) { o.Instance, o.MachineID = "caja-1", "caja-01" },
	}
	for option, spoil := range cases {
		options := good
		spoil(&options)
		_, err := license.New(options)
		var wrong *license.OptionError
		if !errors.As(err, &wrong) || wrong.Option != option || wrong.Problem == "" {
			t.Errorf("%s: got %v", option, err)
		}
	}
}

func TestACheckEndsWithItsContext(t *testing.T) {
	vendor := newVendor(t)
	program := vendor.program(t)
	if result := program.Check(key); !result.OK || result.Detail != "" {
		t.Fatalf("got %+v", result)
	}
	vendor.hangs.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	within(t, 3*time.Second, func() {
		result := program.CheckContext(ctx, key)
		if !result.OK || !result.Offline || result.Detail != "timeout" {
			t.Errorf("got %+v", result)
		}
	})
	if result := program.CheckContext(ctx, key); !result.OK {
		t.Errorf("with a context that has ended: got %+v", result)
	}
	stranger := vendor.program(t)
	if result := stranger.CheckContext(ctx, key); result.OK || result.Reason != "no_connection" || result.Detail != "timeout" {
		t.Errorf("without anything kept: got %+v", result)
	}
	if released := program.ReleaseContext(ctx, key); released {
		t.Error("released without an answer")
	}
	if reason, detail := program.ReleaseReason(); reason != "no_connection" || detail != "timeout" {
		t.Errorf("got %s, %s", reason, detail)
	}
}

func TestACallerWithAContextDoesNotWaitForTheChecksOfOthers(t *testing.T) {
	vendor := newVendor(t)
	program := vendor.program(t)
	vendor.hangs.Store(true)
	go program.Check(key)
	for vendor.calls.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	within(t, 3*time.Second, func() {
		for _, result := range []license.Result{program.CheckContext(ctx, key), program.CheckCachedContext(ctx, key, time.Hour)} {
			if result.OK || result.Reason != "no_connection" || result.Detail != "timeout" {
				t.Errorf("got %+v", result)
			}
		}
	})
}

func TestThatACallerHadNoMoreTimeIsNobodyElsesAnswer(t *testing.T) {
	program := newVendor(t).program(t)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if result := program.CheckContext(ended, key); result.OK {
		t.Fatalf("got %+v", result)
	}
	if result := program.CheckCached(key, time.Hour); !result.OK {
		t.Errorf("got %+v", result)
	}
}

func TestStartEndsWithItsContext(t *testing.T) {
	vendor := newVendor(t)
	program := vendor.program(t)
	ctx, cancel := context.WithCancel(context.Background())
	heard := make(chan license.Result)
	program.Start(ctx, key, func(result license.Result) { heard <- result })
	if result := <-heard; !result.OK {
		t.Errorf("got %+v", result)
	}
	cancel()
	if calls := vendor.calls.Load(); calls != 2 {
		t.Errorf("%d calls", calls)
	}
}
