// La ventana de un programa con licencia. Nunca espera al servidor: la biblioteca pregunta en segundo plano, y un TTimer
// lee lo que respondió.
unit MainForm;

{$MODE DELPHI}{$H+}

interface

uses
  Classes, SysUtils, Forms, Controls, StdCtrls, ExtCtrls, Dialogs, LCLIntf, LicenseManager;

type
  TMain = class(TForm)
    KeyLabel, StateLabel, TextLabel: TLabel;
    KeyBox: TEdit;
    ActivateButton, RetryButton, PortalButton, ExportButton: TButton;
    Timer: TTimer;
    procedure FormCreate(Sender: TObject);
    procedure FormClose(Sender: TObject; var CloseAction: TCloseAction);
    procedure ActivateButtonClick(Sender: TObject);
    procedure RetryButtonClick(Sender: TObject);
    procedure PortalButtonClick(Sender: TObject);
    procedure ExportButtonClick(Sender: TObject);
    procedure TimerTimer(Sender: TObject);
  private
    FLicense: TLicense;
    FKey, FKept, FProblem: string;
    FOpensPortal: Boolean;
    procedure Ask(const Key: string);
    procedure Say(const State, Text: string);
    procedure KeepKey;
    procedure ShowPortal(const Url, Reason: string);
  end;

  // PortalUrl espera al servidor: por eso va en otro hilo.
  TPortalThread = class(TThread)
  private
    FKey, FUrl, FReason: string;
    procedure Show;
  protected
    procedure Execute; override;
  public
    constructor Create(const Key: string);
  end;

var
  Main: TMain;

implementation

{$R *.lfm}

// La carpeta donde el sistema guarda los ajustes de los programas.
function Folder: string;
begin
  Result := GetEnvironmentVariable({$IFDEF MSWINDOWS}'APPDATA'{$ELSE}'HOME'{$ENDIF}) + PathDelim + '.punto-de-venta' +
    PathDelim;
end;

function KeyFile: string;
begin
  Result := Folder + 'clave.txt';
end;

function NewLicense: TLicense;
var
  Options: TLicenseOptions;
begin
  Options := LicenseOptions('https://licencias.example.com', 'punto-de-venta', Folder + 'licencia.json');
  Options.AppVersion := '1.0.0';
  // De Configuración › Firma: la clave actual y la siguiente.
  Result := TLicense.Create(Options, [
    LicenseKey('OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI',
      'yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk', 'CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k'),
    LicenseKey('P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI',
      'DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI', 'vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74')]);
end;

// La clave guardada, como haya quedado el archivo: también con la marca que pone el Bloc de notas.
function ReadKey: string;
var
  Lines: TStringList;
begin
  Result := '';
  Lines := TStringList.Create;
  try
    try
      if FileExists(KeyFile) then
        Lines.LoadFromFile(KeyFile);
      Result := Trim(StringReplace(Lines.Text, #$EF#$BB#$BF, '', []));
    except
      on E: EStreamError do
        Result := '';
    end;
  finally
    Lines.Free;
  end;
end;

// El último día de la licencia, como lo cuenta el proveedor, y cuánto falta.
function EndText(const DaysLeft: string): string;
var
  Days: Integer;
begin
  Days := StrToIntDef(DaysLeft, 0);
  Result := 'hasta el ' + FormatDateTime('dd"/"mm"/"yyyy', Date + Days);
  if Days = 0 then
    Result := Result + ', termina hoy'
  else if Days = 1 then
    Result := Result + ', queda 1 día'
  else
    Result := Result + ', quedan ' + IntToStr(Days) + ' días';
end;

procedure TMain.FormCreate(Sender: TObject);
begin
  FKept := ReadKey;
  KeyBox.Text := FKept;
  Ask(FKept);
end;

procedure TMain.FormClose(Sender: TObject; var CloseAction: TCloseAction);
begin
  // No espera la respuesta del servidor. Con licencias flotantes, aquí va FLicense.Stop y después FLicense.Release(FKey).
  Timer.Enabled := False;
  FreeAndNil(FLicense);
end;

procedure TMain.ActivateButtonClick(Sender: TObject);
begin
  Ask(Trim(KeyBox.Text));
end;

procedure TMain.RetryButtonClick(Sender: TObject);
begin
  Ask(FKey);
end;

// Pregunta en segundo plano, ahora y después cada cierto tiempo.
procedure TMain.Ask(const Key: string);
begin
  Timer.Enabled := False;
  FreeAndNil(FLicense);
  if Key <> FKey then
    ExportButton.Enabled := False;
  FKey := Key;
  FProblem := '';
  RetryButton.Enabled := Key <> '';
  PortalButton.Enabled := Key <> '';
  if Key = '' then
  begin
    Say('Sin licencia', 'Hay que escribir la clave de licencia y elegir «Activar».');
    Exit;
  end;
  Say('Comprobando la licencia…', '');
  try
    FLicense := NewLicense;
    FLicense.Start(Key);
    Timer.Enabled := True;
  except
    on E: ELicenseOption do
      Say('El programa está mal configurado', E.Message);
  end;
end;

procedure TMain.TimerTimer(Sender: TObject);
var
  State, Text: string;
begin
  // Antes de la primera respuesta no dice cuándo será la siguiente pregunta.
  if (FLicense.Get('nextCheck') = '0') and (FLicense.Get('pending') <> 'true') then
    Exit;
  ExportButton.Enabled := FLicense.Ok;
  if FLicense.Ok then
    KeepKey;
  if not FLicense.Ok then
    State := 'Sin licencia válida'
  else if FLicense.Get('inGrace') = 'true' then
    State := 'La licencia venció y está en su periodo de gracia'
  else if FLicense.Get('daysLeft') = '' then
    State := 'Licencia válida. Sin fecha de fin'
  else
    State := 'Licencia válida ' + EndText(FLicense.Get('daysLeft'));
  if FLicense.Get('pending') = 'true' then
    State := State + ' (comprobando)'
  else if FLicense.Ok and (FLicense.Get('offline') = 'true') then
    State := State + ' (sin conexión)';
  // Qué pasó y qué hacer; también avisa antes de que el programa deje de funcionar.
  Text := FLicense.Message('es');
  Say(State, Trim(Text + LineEnding + FProblem));
end;

procedure TMain.Say(const State, Text: string);
begin
  if (StateLabel.Caption <> State) then
    StateLabel.Caption := State;
  if (TextLabel.Caption <> Text) then
    TextLabel.Caption := Text;
end;

// La clave que sirvió se guarda: la próxima vez ya está escrita.
procedure TMain.KeepKey;
var
  Lines: TStringList;
begin
  if (FKept = FKey) or (FProblem <> '') then
    Exit;
  Lines := TStringList.Create;
  try
    try
      Lines.Text := FKey;
      ForceDirectories(Folder);
      Lines.SaveToFile(KeyFile);
      FKept := FKey;
    except
      on E: Exception do
        FProblem := 'La clave no se pudo guardar en este equipo: habrá que escribirla otra vez al abrir el programa.';
    end;
  finally
    Lines.Free;
  end;
end;

procedure TMain.PortalButtonClick(Sender: TObject);
begin
  // El botón no se apaga mientras tanto: perdería el teclado.
  if FOpensPortal then
    Exit;
  FOpensPortal := True;
  TPortalThread.Create(FKey);
end;

procedure TMain.ShowPortal(const Url, Reason: string);
begin
  FOpensPortal := False;
  if (Url <> '') and OpenURL(Url) then
    FProblem := ''
  else if Url <> '' then
    FProblem := 'No se pudo abrir el navegador.'
  else if Reason = 'no_connection' then
    FProblem := '«Mi licencia» necesita conexión con el servidor de licencias.'
  else
    FProblem := 'El proveedor no ofrece «Mi licencia» para este equipo.';
end;

// Lo que hace el programa: se ofrece solo con licencia.
procedure TMain.ExportButtonClick(Sender: TObject);
begin
  ShowMessage('Aquí el programa exporta.');
end;

constructor TPortalThread.Create(const Key: string);
begin
  FKey := Key;
  FreeOnTerminate := True;
  inherited Create(False);
end;

procedure TPortalThread.Execute;
var
  License: TLicense;
begin
  License := NewLicense;
  try
    FUrl := License.PortalUrl(FKey);
    FReason := License.Get('portalReason');
  finally
    License.Free;
  end;
  Synchronize(Show);
end;

procedure TPortalThread.Show;
begin
  Main.ShowPortal(FUrl, FReason);
end;

end.
