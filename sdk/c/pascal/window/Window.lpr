// Un programa con ventana y con licencia, en Lazarus.
program Window;

{$MODE DELPHI}{$H+}

uses
{$IFDEF UNIX}
  CThreads,
{$ENDIF}
  Interfaces, Forms, MainForm;

begin
  Application.Title := 'Mi programa';
  Application.Initialize;
  Application.CreateForm(TMain, Main);
  Application.Run;
end.
