// Un programa con licencia, en Delphi o Free Pascal: Example XXXXX-XXXXX-XXXXX-XXXXX-XXXXX
// La clave se escribe una vez: después el programa la recuerda.
program Example;

{$IFDEF FPC}{$MODE DELPHI}{$H+}{$ELSE}{$APPTYPE CONSOLE}{$ENDIF}

uses
  SysUtils, Classes, LicenseManager;

const
  // True si vendes licencias flotantes: al cerrar, el programa devuelve su lugar para otro equipo.
  Floating = False;

var
  License: TLicense;
  Options: TLicenseOptions;
  Folder, Key, Days: string;
  KeyFile: TStringList;
  IsOk: Boolean;

begin
  // La carpeta donde el sistema guarda los ajustes de los programas.
  Folder := GetEnvironmentVariable({$IFDEF MSWINDOWS}'APPDATA'{$ELSE}'HOME'{$ENDIF}) + PathDelim + '.punto-de-venta' + PathDelim;
  Options := LicenseOptions('https://licencias.example.com', 'punto-de-venta', Folder + 'licencia.json');
  Options.AppVersion := '1.0.0';
  // De Configuración › Firma: la clave actual y la siguiente.
  License := TLicense.Create(Options, [
    LicenseKey('OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI',
      'yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk', 'CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k'),
    LicenseKey('P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI',
      'DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI', 'vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74')]);
  KeyFile := TStringList.Create;
  try
    Key := ParamStr(1);
    if (Key = '') and FileExists(Folder + 'clave.txt') then
    try
      KeyFile.LoadFromFile(Folder + 'clave.txt');
      Key := Trim(KeyFile.Text); // también sin los espacios de un editor de textos; su marca invisible la quita el SDK
    except
      on Exception do Key := ''; // sin permiso para leerla hay que escribirla de nuevo
    end;
    // Un programa con ventanas llama License.Start(Key) y lee el resultado con un TTimer.
    IsOk := License.Check(Key);
    if IsOk then
    begin
      KeyFile.Text := Key;
      try
        KeyFile.SaveToFile(Folder + 'clave.txt');
      except // sin permiso o sin espacio el programa funciona igual
        on Exception do
          WriteLn(ErrOutput, 'No se pudo guardar la clave: habrá que escribirla de nuevo la próxima vez.');
      end;
      Days := License.Get('daysLeft');
      if Days = '' then
        Days := 'sin límite';
      WriteLn('Licencia válida. Días restantes: ' + Days);
    end;
    // Qué pasó y qué hacer; también avisa antes de que el programa deje de funcionar.
    if License.Message('es') <> '' then
      WriteLn(ErrOutput, License.Message('es'));
    if IsOk and License.Has('modulo_nomina') then
      WriteLn('Con el módulo de nómina.');
    if Floating then
      License.Release(Key);
  finally
    KeyFile.Free;
    License.Free;
  end;
  if not IsOk then
    Halt(1);
end.
