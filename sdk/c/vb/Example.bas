Attribute VB_Name = "Example"
' Un programa con licencia, en Visual Basic 6 o VBA. La clave se escribe una vez: después el programa la recuerda.
' license_manager32.dll (en Office de 64 bits, license_manager.dll) va junto al programa.
Option Explicit

Public Sub Main()
    Dim license As Long, key As String, days As String, isOk As Boolean
    ' De Configuración › Firma: la clave actual y la siguiente.
    license = LicenseOpen("https://licencias.example.com", "punto-de-venta", _
        Environ$("APPDATA") & "\punto-de-venta\licencia.json", _
        LicenseKey("OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI", _
            "yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk", "CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k") & "," & _
        LicenseKey("P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI", _
            "DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI", "vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74"), _
        LicenseOption("appVersion", "1.0.0"))

    ' La clave se guarda donde el sistema guarda los ajustes: en el registro.
    key = GetSetting("punto-de-venta", "Licencia", "Clave", "")
    If key = "" Then key = InputBox("Escribe la clave de tu licencia:")

    ' Un programa con formularios llama LicenseStart license, key y lee el resultado con un Timer.
    isOk = LicenseCheck(license, key)
    If isOk Then
        ' Sin permiso para guardarla el programa funciona igual.
        On Error Resume Next
        SaveSetting "punto-de-venta", "Licencia", "Clave", key
        If Err.Number <> 0 Then MsgBox "No se pudo guardar la clave: habrá que escribirla de nuevo la próxima vez."
        On Error GoTo 0
        days = LicenseGet(license, "daysLeft")
        If days = "" Then days = "sin límite"
        Debug.Print "Licencia válida. Días restantes: " & days
    End If
    ' Qué pasó y qué hacer; también avisa antes de que el programa deje de funcionar.
    If LicenseMessage(license, "es") <> "" Then MsgBox LicenseMessage(license, "es")
    If isOk And LicenseHas(license, "modulo_nomina") Then Debug.Print "Con el módulo de nómina."

    ' Con licencias flotantes, al cerrar: LicenseRelease license, key
    LicenseClose license
End Sub
