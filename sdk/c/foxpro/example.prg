* Un programa con licencia, en Visual FoxPro: DO example WITH "XXXXX-XXXXX-XXXXX-XXXXX-XXXXX"
* La clave se escribe una vez: después el programa la recuerda.
* license_manager32.dll va junto al programa.
LPARAMETERS tcKey
LOCAL loLicense, lcFolder, lcKey, llOk, lcDays, loError

SET PROCEDURE TO license ADDITIVE
* La carpeta donde el sistema guarda los ajustes de los programas.
lcFolder = GETENV("APPDATA") + "\punto-de-venta\"

loLicense = CREATEOBJECT("License")
loLicense.Server = "https://licencias.example.com"
loLicense.Software = "punto-de-venta"
loLicense.StorePath = lcFolder + "licencia.json"
loLicense.AppVersion = "1.0.0"
* De Configuración › Firma: la clave actual y la siguiente.
loLicense.AddKey("OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI", ;
  "yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk", "CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k")
loLicense.AddKey("P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI", ;
  "DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI", "vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74")
IF NOT loLicense.Open()
  MESSAGEBOX(loLicense.Problem)
  RETURN .F.
ENDIF

lcKey = IIF(VARTYPE(tcKey) = "C", tcKey, "")
IF EMPTY(lcKey) AND FILE(lcFolder + "clave.txt")
  TRY
    lcKey = FILETOSTR(lcFolder + "clave.txt")
  CATCH TO loError
    * Sin permiso para leerla hay que escribirla de nuevo.
  ENDTRY
ENDIF
* Sin la marca invisible, los espacios y los renglones que deja un editor de textos.
lcKey = CHRTRAN(lcKey, CHR(239) + CHR(187) + CHR(191) + CHR(13) + CHR(10) + CHR(9) + " ", "")

* Un programa con formularios llama loLicense.Start(lcKey) y lee el resultado con un Timer.
llOk = loLicense.Check(lcKey)
IF llOk
  * Sin permiso o sin espacio el programa funciona igual.
  TRY
    STRTOFILE(lcKey, lcFolder + "clave.txt")
  CATCH TO loError
    MESSAGEBOX("No se pudo guardar la clave: habrá que escribirla de nuevo la próxima vez.")
  ENDTRY
  lcDays = loLicense.Get("daysLeft")
  ? "Licencia válida. Días restantes: " + IIF(EMPTY(lcDays), "sin límite", lcDays)
ENDIF
* Qué pasó y qué hacer; también avisa antes de que el programa deje de funcionar.
IF NOT EMPTY(loLicense.Message("es"))
  MESSAGEBOX(loLicense.Message("es"))
ENDIF
IF llOk AND loLicense.Has("modulo_nomina")
  ? "Con el módulo de nómina."
ENDIF
* Con licencias flotantes, al cerrar: loLicense.Release(lcKey)
RETURN llOk
