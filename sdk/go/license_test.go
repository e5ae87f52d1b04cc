package license_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
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

func newVendor(t *testing.T) *vendor { return newVendorBy(t, (*httptest.Server).Start) }

func newVendorBy(t *testing.T, start func(*httptest.Server)) *vendor {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	v := &vendor{private: private, gone: make(chan struct{})}
	v.server = httptest.NewUnstartedServer(http.HandlerFunc(v.answer))
	v.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	start(v.server)
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
	return v.programBy(t, nil, 10*time.Second)
}

func (v *vendor) programBy(t *testing.T, client *http.Client, timeout time.Duration) *license.License {
	t.Helper()
	program, err := license.New(license.Options{
		Server: v.server.URL, Software: "caja", Keys: []license.Key{v.key()}, MachineID: "caja-01",
		Store: filepath.Join(t.TempDir(), "store"), Timeout: timeout, HTTPClient: client,
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

func trusting(server *httptest.Server) *http.Transport {
	authorities := x509.NewCertPool()
	authorities.AddCert(server.Certificate())
	return &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities}}
}

func TestAnOwnClientTrustsAnOwnAuthority(t *testing.T) {
	vendor := newVendorBy(t, (*httptest.Server).StartTLS)
	if result := vendor.program(t).Check(key); result.Reason != "no_connection" || result.Detail != "tls" {
		t.Errorf("with an unknown authority: got %+v", result)
	}
	client := &http.Client{Transport: trusting(vendor.server)}
	if result := vendor.programBy(t, client, time.Second).Check(key); !result.OK {
		t.Errorf("got %+v", result)
	}
	if client.Timeout != 0 || client.CheckRedirect != nil {
		t.Error("the client was changed")
	}
}

func TestACertificateWhoseIssuerIsNotSentHasTheDetailTLS(t *testing.T) {
	root, rootKey := certificate(t, "root", nil, nil)
	middle, middleKey := certificate(t, "middle", root, rootKey)
	own, ownKey := certificate(t, "127.0.0.1", middle, middleKey)
	authorities := x509.NewCertPool()
	authorities.AddCert(root)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities}}}
	for sent, expected := range map[int]string{1: "tls", 2: ""} {
		vendor := newVendorBy(t, func(server *httptest.Server) {
			chain := [][]byte{own.Raw, middle.Raw}[:sent]
			server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: chain, PrivateKey: ownKey}}}
			server.StartTLS()
		})
		if result := vendor.programBy(t, client, 5*time.Second).Check(key); result.Detail != expected {
			t.Errorf("%d certificates: got %+v", sent, result)
		}
	}
}

// certificate is one of this issuer, or one that signed itself.
func certificate(t *testing.T, name string, issuer *x509.Certificate, by *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	draft := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: name != "127.0.0.1", BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	if issuer == nil {
		issuer, by = draft, private
	}
	made, err := x509.CreateCertificate(rand.Reader, draft, issuer, &private.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	read, err := x509.ParseCertificate(made)
	if err != nil {
		t.Fatal(err)
	}
	return read, private
}

// proxy passes connections on, or refuses each; it counts them.
func proxy(t *testing.T, refuses bool) (*url.URL, *atomic.Int32) {
	t.Helper()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		asked.Add(1)
		if refuses || request.Method != http.MethodConnect {
			response.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		there, err := net.Dial("tcp", request.Host)
		if err != nil {
			response.WriteHeader(http.StatusBadGateway)
			return
		}
		here, _, err := response.(http.Hijacker).Hijack()
		if err != nil {
			there.Close()
			return
		}
		_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(there, here); there.Close() }()
		go func() { _, _ = io.Copy(here, there); here.Close() }()
	}))
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return address, &asked
}

func TestAnOwnClientGoesThroughItsProxy(t *testing.T) {
	vendor := newVendorBy(t, (*httptest.Server).StartTLS)
	for _, refuses := range []bool{false, true} {
		address, asked := proxy(t, refuses)
		transport := trusting(vendor.server)
		transport.Proxy = http.ProxyURL(address)
		result := vendor.programBy(t, &http.Client{Transport: transport}, 5*time.Second).Check(key)
		transport.CloseIdleConnections()
		if result.OK == refuses || (refuses && result.Detail != "proxy") || asked.Load() == 0 {
			t.Errorf("refuses %v: got %+v after %d connections", refuses, result, asked.Load())
		}
	}
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) { return t(request) }

type endless struct{ gone chan struct{} }

func (e endless) Read([]byte) (int, error) { <-e.gone; return 0, io.EOF }
func (e endless) Close() error             { return nil }

func TestTheLimitsHoldForAnOwnClientToo(t *testing.T) {
	vendor := newVendor(t)
	gone := make(chan struct{})
	t.Cleanup(func() { close(gone) })
	answer := func(status int, header http.Header, body io.ReadCloser) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: header, Body: body}, nil
	}
	failed := errors.New("of its own")
	cases := map[string]struct {
		do             transport
		reason, detail string
	}{
		"never answers": {func(*http.Request) (*http.Response, error) { <-gone; return nil, failed }, "no_connection", "timeout"},
		"has no end":    {func(*http.Request) (*http.Response, error) { return answer(200, nil, endless{gone}) }, "no_connection", "timeout"},
		"fails":         {func(*http.Request) (*http.Response, error) { return nil, failed }, "no_connection", "unreachable"},
		"panics":        {func(*http.Request) (*http.Response, error) { panic(failed) }, "no_connection", "unreachable"},
		"has no body":   {func(*http.Request) (*http.Response, error) { return answer(200, nil, http.NoBody) }, "unverified", "not_the_server"},
		"is full of text": {func(*http.Request) (*http.Response, error) {
			return answer(200, nil, io.NopCloser(strings.NewReader(strings.Repeat(" ", 1<<20))))
		}, "unverified", "not_the_server"},
		"leads elsewhere": {func(*http.Request) (*http.Response, error) {
			return answer(307, http.Header{"Location": {vendor.server.URL}}, http.NoBody)
		}, "unverified", "not_the_server"},
	}
	for name, one := range cases {
		program := vendor.programBy(t, &http.Client{Transport: one.do, Timeout: time.Hour}, 300*time.Millisecond)
		within(t, 3*time.Second, func() {
			if result := program.Check(key); result.Reason != one.reason || result.Detail != one.detail {
				t.Errorf("%s: got %+v", name, result)
			}
		})
	}
	if calls := vendor.calls.Load(); calls != 0 {
		t.Errorf("%d calls to where it leads", calls)
	}
}

func TestUsesAreCountedWhileOthersCall(t *testing.T) {
	program := newVendor(t).program(t)
	var callers sync.WaitGroup
	for i := 0; i < 4; i++ {
		callers.Add(1)
		go func() {
			defer callers.Done()
			for round := 0; round < 5; round++ {
				if !program.Use("facturas", 1) {
					t.Error("a use was not kept")
				}
				program.Remaining("facturas")
				program.Consume("facturas", 1)
				program.Check(key)
			}
		}()
	}
	callers.Wait()
}

func TestStartWaitsForNoCheckThatHangs(t *testing.T) {
	vendor := newVendor(t)
	program := vendor.program(t)
	program.Check(key)
	vendor.hangs.Store(true)
	before := vendor.calls.Load()
	go program.Check(key)
	for vendor.calls.Load() == before {
		time.Sleep(time.Millisecond)
	}
	heard := make(chan license.Result)
	within(t, 2*time.Second, func() {
		program.Start(context.Background(), key, func(result license.Result) { heard <- result })
		if result := <-heard; !result.OK || !result.Pending || !result.Offline || result.Detail != "" {
			t.Errorf("got %+v", result)
		}
	})
	program.Stop()
}
