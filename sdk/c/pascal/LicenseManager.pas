// SPDX-License-Identifier: MIT

// The licence of a program, for Delphi 7 or later and for Lazarus and Free Pascal 3. sdk/README.md says what every SDK does.
unit LicenseManager;

{$IFDEF FPC}{$MODE DELPHI}{$H+}{$ENDIF}

interface

uses
  SysUtils;

type
  // A public key, a constant of the program.
  TLicenseKey = record
    Kid, X, Y: string;
  end;

  // What is empty has its default.
  TLicenseOptions = record
    Server, Software, Store: string;
    FileName, MachineId, MachineName, Instance, AppVersion, ReleasedOn: string;
    Timeout: Integer; // seconds; 0 is 5
  end;

  // A wrong option, which is a mistake of the programmer.
  ELicenseOption = class(Exception);

  // May be used by several threads. Neither Free nor the end of the program gives the seat back: Release does.
  TLicense = class
  private
    FHandle: Integer;
  public
    constructor Create(const Options: TLicenseOptions; const Keys: array of TLicenseKey);
    destructor Destroy; override;
    // Whether the program may run. It waits for the server, twice the timeout at most.
    function Check(const Key: string): Boolean;
    // Checks in the background until Stop. A TTimer reads Ok and Message, at once what is kept; no event comes from another thread.
    procedure Start(const Key: string);
    procedure Stop;
    // Whether the first check of Start is under way.
    function Pending: Boolean;
    function Ok: Boolean;
    function Has(const Code: string): Boolean;
    // A field of the last result, such as 'reason', 'daysLeft' or 'features.usuarios'; empty where there is none.
    function Get(const Name: string): string;
    // The text for the program's user, in 'es' or 'en'; empty where all is well.
    function Message(const Language: string): string;
    function MachineId: string;
    // Gives the seat back. Where it is False, Get('releaseReason') says why.
    function Release(const Key: string): Boolean;
    // An address of the portal for the browser. Where it is empty, Get('portalReason') says why.
    function PortalUrl(const Key: string): string;
    // Notes what was used, for a meter of the licence; checks send it, and it counts once. Whether it is kept: not where less
    // is left, of a meter that refuses what is beyond.
    function Use(const Code: string; Amount: Integer): Boolean;
    // Asks the server to count it now, with the key that was checked last. True only where it did.
    function Consume(const Code: string; Amount: Integer): Boolean;
    // What is left of a meter, also without connection; empty without a limit, and where nothing is kept.
    function Remaining(const Code: string): string;
    // The key of the trial of this computer; mail and name may be empty. Where it is empty, Get('trialReason') says why.
    function StartTrial(const Email, Name: string): string;
  end;

function LicenseOptions(const Server, Software, Store: string): TLicenseOptions;
function LicenseKey(const Kid, X, Y: string): TLicenseKey;

implementation

uses
  Math;

const
{$IFDEF MSWINDOWS}
  {$IFDEF WIN64} LIB = 'license_manager.dll'; {$ELSE} LIB = 'license_manager32.dll'; {$ENDIF}
{$ELSE}
  LIB = 'license_manager';
{$ENDIF}

function lm_open(Options: PAnsiChar): Integer; cdecl; external LIB;
function lm_error: PAnsiChar; cdecl; external LIB;
function lm_check(Handle: Integer; Key: PAnsiChar): PAnsiChar; cdecl; external LIB;
function lm_start(Handle: Integer; Key: PAnsiChar): Integer; cdecl; external LIB;
procedure lm_stop(Handle: Integer); cdecl; external LIB;
function lm_has(Handle: Integer; Code: PAnsiChar): Integer; cdecl; external LIB;
function lm_get(Handle: Integer; Name: PAnsiChar): PAnsiChar; cdecl; external LIB;
function lm_release(Handle: Integer; Key: PAnsiChar): Integer; cdecl; external LIB;
function lm_portal_url(Handle: Integer; Key: PAnsiChar): PAnsiChar; cdecl; external LIB;
function lm_use(Handle: Integer; Code: PAnsiChar; Amount: Integer): Integer; cdecl; external LIB;
function lm_consume(Handle: Integer; Code: PAnsiChar; Amount: Integer): Integer; cdecl; external LIB;
function lm_start_trial(Handle: Integer; Email, Name: PAnsiChar): PAnsiChar; cdecl; external LIB;
procedure lm_close(Handle: Integer); cdecl; external LIB;
procedure lm_free(Text: PAnsiChar); cdecl; external LIB;

type
{$IFDEF FPC}
  // The texts of Lazarus are UTF-8 already.
  TUtf8 = RawByteString;
{$ELSE}
  TUtf8 = UTF8String;
{$ENDIF}
{$IF DEFINED(FPC) OR (CompilerVersion < 23)}
  TMask = TFPUExceptionMask;
{$ELSE}
  TMask = TArithmeticExceptionMask;
{$IFEND}

function ToUtf8(const Text: string): TUtf8;
begin
{$IFDEF FPC}
  Result := Text;
{$ELSE}
  Result := UTF8Encode(Text);
{$ENDIF}
end;

// Copies a text of the library, and frees it.
function Taken(Text: PAnsiChar): string;
{$IFNDEF FPC}
var
  Copied: UTF8String;
{$ENDIF}
begin
{$IFDEF FPC}
  SetString(Result, Text, StrLen(Text));
{$ELSE}
  SetString(Copied, Text, StrLen(Text));
  Result := UTF8Decode(Copied);
{$ENDIF}
  lm_free(Text);
end;

// Delphi raises exceptions for what other languages calculate on with, such as a division of floats by zero. The library
// runs without them; what the program had comes back after each call.
function Masked: TMask;
begin
  Result := SetExceptionMask([exInvalidOp, exDenormalized, exZeroDivide, exOverflow, exUnderflow, exPrecision]);
end;

function Quoted(const Text: string): string;
var
  I: Integer;
begin
  Result := '';
  for I := 1 to Length(Text) do
    if (Text[I] = '"') or (Text[I] = '\') or (Text[I] < ' ') then
      Result := Result + '\u' + IntToHex(Ord(Text[I]), 4)
    else
      Result := Result + Text[I];
  Result := '"' + Result + '"';
end;

function LicenseOptions(const Server, Software, Store: string): TLicenseOptions;
begin
  Result.Server := Server;
  Result.Software := Software;
  Result.Store := Store;
  Result.FileName := '';
  Result.MachineId := '';
  Result.MachineName := '';
  Result.Instance := '';
  Result.AppVersion := '';
  Result.ReleasedOn := '';
  Result.Timeout := 0;
end;

function LicenseKey(const Kid, X, Y: string): TLicenseKey;
begin
  Result.Kid := Kid;
  Result.X := X;
  Result.Y := Y;
end;

constructor TLicense.Create(const Options: TLicenseOptions; const Keys: array of TLicenseKey);
var
  Json, Separator: string;
  I: Integer;
  Before: TMask;
begin
  inherited Create;
  Json := '{"server":' + Quoted(Options.Server) + ',"software":' + Quoted(Options.Software) +
    ',"store":' + Quoted(Options.Store) + ',"file":' + Quoted(Options.FileName) +
    ',"machineId":' + Quoted(Options.MachineId) + ',"machineName":' + Quoted(Options.MachineName) +
    ',"instance":' + Quoted(Options.Instance) + ',"appVersion":' + Quoted(Options.AppVersion) +
    ',"releasedOn":' + Quoted(Options.ReleasedOn) + ',"timeout":' + IntToStr(Options.Timeout) + ',"keys":[';
  Separator := '';
  for I := 0 to High(Keys) do
  begin
    Json := Json + Separator + '{"kid":' + Quoted(Keys[I].Kid) + ',"x":' + Quoted(Keys[I].X) +
      ',"y":' + Quoted(Keys[I].Y) + '}';
    Separator := ',';
  end;
  Json := Json + ']}';
  Before := Masked;
  FHandle := lm_open(PAnsiChar(ToUtf8(Json)));
  SetExceptionMask(Before);
  if FHandle = 0 then
    raise ELicenseOption.Create(Taken(lm_error));
end;

destructor TLicense.Destroy;
var
  Before: TMask;
begin
  Before := Masked;
  lm_close(FHandle);
  SetExceptionMask(Before);
  inherited Destroy;
end;

function TLicense.Check(const Key: string): Boolean;
var
  Before: TMask;
begin
  Before := Masked;
  Taken(lm_check(FHandle, PAnsiChar(ToUtf8(Key))));
  SetExceptionMask(Before);
  Result := Ok;
end;

procedure TLicense.Start(const Key: string);
var
  Before: TMask;
begin
  Before := Masked;
  lm_start(FHandle, PAnsiChar(ToUtf8(Key)));
  SetExceptionMask(Before);
end;

procedure TLicense.Stop;
var
  Before: TMask;
begin
  Before := Masked;
  lm_stop(FHandle);
  SetExceptionMask(Before);
end;

function TLicense.Pending: Boolean;
begin
  Result := Get('pending') = 'true';
end;

function TLicense.Ok: Boolean;
begin
  Result := Get('ok') = 'true';
end;

function TLicense.Has(const Code: string): Boolean;
var
  Before: TMask;
begin
  Before := Masked;
  Result := lm_has(FHandle, PAnsiChar(ToUtf8(Code))) = 1;
  SetExceptionMask(Before);
end;

function TLicense.Get(const Name: string): string;
var
  Before: TMask;
begin
  Before := Masked;
  Result := Taken(lm_get(FHandle, PAnsiChar(ToUtf8(Name))));
  SetExceptionMask(Before);
end;

function TLicense.Message(const Language: string): string;
begin
  Result := Get('message.' + Language);
end;

function TLicense.MachineId: string;
begin
  Result := Get('machineId');
end;

function TLicense.Release(const Key: string): Boolean;
var
  Before: TMask;
begin
  Before := Masked;
  Result := lm_release(FHandle, PAnsiChar(ToUtf8(Key))) = 1;
  SetExceptionMask(Before);
end;

function TLicense.PortalUrl(const Key: string): string;
var
  Before: TMask;
begin
  Before := Masked;
  Result := Taken(lm_portal_url(FHandle, PAnsiChar(ToUtf8(Key))));
  SetExceptionMask(Before);
end;

function TLicense.Use(const Code: string; Amount: Integer): Boolean;
var
  Before: TMask;
begin
  Before := Masked;
  Result := lm_use(FHandle, PAnsiChar(ToUtf8(Code)), Amount) = 1;
  SetExceptionMask(Before);
end;

function TLicense.Consume(const Code: string; Amount: Integer): Boolean;
var
  Before: TMask;
begin
  Before := Masked;
  Result := lm_consume(FHandle, PAnsiChar(ToUtf8(Code)), Amount) = 1;
  SetExceptionMask(Before);
end;

function TLicense.Remaining(const Code: string): string;
begin
  Result := Get('remaining.' + Code);
end;

function TLicense.StartTrial(const Email, Name: string): string;
var
  Before: TMask;
begin
  Before := Masked;
  Result := Taken(lm_start_trial(FHandle, PAnsiChar(ToUtf8(Email)), PAnsiChar(ToUtf8(Name))));
  SetExceptionMask(Before);
end;

end.
