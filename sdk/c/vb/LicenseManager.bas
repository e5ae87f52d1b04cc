Attribute VB_Name = "LicenseManager"
' SPDX-License-Identifier: MIT

' The licence of a program, for Visual Basic 6 and for VBA of 32 and 64 bits. sdk/README.md says what every SDK does.
Option Explicit

#If VBA7 Then
    #If Win64 Then
Private Declare PtrSafe Function lms_open Lib "license_manager.dll" (ByVal options As String) As Long
Private Declare PtrSafe Function lms_error Lib "license_manager.dll" () As LongPtr
Private Declare PtrSafe Function lms_check Lib "license_manager.dll" (ByVal handle As Long, ByVal key As String) As LongPtr
Private Declare PtrSafe Function lms_start Lib "license_manager.dll" (ByVal handle As Long, ByVal key As String) As Long
Private Declare PtrSafe Sub lms_stop Lib "license_manager.dll" (ByVal handle As Long)
Private Declare PtrSafe Function lms_has Lib "license_manager.dll" (ByVal handle As Long, ByVal code As String) As Long
Private Declare PtrSafe Function lms_get Lib "license_manager.dll" (ByVal handle As Long, ByVal name As String) As LongPtr
Private Declare PtrSafe Function lms_release Lib "license_manager.dll" (ByVal handle As Long, ByVal key As String) As Long
Private Declare PtrSafe Function lms_portal_url Lib "license_manager.dll" (ByVal handle As Long, ByVal key As String) As LongPtr
Private Declare PtrSafe Function lms_use Lib "license_manager.dll" (ByVal handle As Long, ByVal code As String, ByVal amount As Long) As Long
Private Declare PtrSafe Function lms_consume Lib "license_manager.dll" (ByVal handle As Long, ByVal code As String, ByVal amount As Long) As Long
Private Declare PtrSafe Function lms_start_trial Lib "license_manager.dll" (ByVal handle As Long, ByVal email As String, ByVal userName As String) As LongPtr
Private Declare PtrSafe Sub lms_close Lib "license_manager.dll" (ByVal handle As Long)
Private Declare PtrSafe Sub lms_free Lib "license_manager.dll" (ByVal text As LongPtr)
    #Else
Private Declare PtrSafe Function lms_open Lib "license_manager32.dll" (ByVal options As String) As Long
Private Declare PtrSafe Function lms_error Lib "license_manager32.dll" () As LongPtr
Private Declare PtrSafe Function lms_check Lib "license_manager32.dll" (ByVal handle As Long, ByVal key As String) As LongPtr
Private Declare PtrSafe Function lms_start Lib "license_manager32.dll" (ByVal handle As Long, ByVal key As String) As Long
Private Declare PtrSafe Sub lms_stop Lib "license_manager32.dll" (ByVal handle As Long)
Private Declare PtrSafe Function lms_has Lib "license_manager32.dll" (ByVal handle As Long, ByVal code As String) As Long
Private Declare PtrSafe Function lms_get Lib "license_manager32.dll" (ByVal handle As Long, ByVal name As String) As LongPtr
Private Declare PtrSafe Function lms_release Lib "license_manager32.dll" (ByVal handle As Long, ByVal key As String) As Long
Private Declare PtrSafe Function lms_portal_url Lib "license_manager32.dll" (ByVal handle As Long, ByVal key As String) As LongPtr
Private Declare PtrSafe Function lms_use Lib "license_manager32.dll" (ByVal handle As Long, ByVal code As String, ByVal amount As Long) As Long
Private Declare PtrSafe Function lms_consume Lib "license_manager32.dll" (ByVal handle As Long, ByVal code As String, ByVal amount As Long) As Long
Private Declare PtrSafe Function lms_start_trial Lib "license_manager32.dll" (ByVal handle As Long, ByVal email As String, ByVal userName As String) As LongPtr
Private Declare PtrSafe Sub lms_close Lib "license_manager32.dll" (ByVal handle As Long)
Private Declare PtrSafe Sub lms_free Lib "license_manager32.dll" (ByVal text As LongPtr)
    #End If
Private Declare PtrSafe Function lstrlenA Lib "kernel32" (ByVal text As LongPtr) As Long
Private Declare PtrSafe Function MultiByteToWideChar Lib "kernel32" (ByVal page As Long, ByVal flags As Long, _
    ByVal text As LongPtr, ByVal length As Long, ByVal wide As LongPtr, ByVal size As Long) As Long
#Else
Private Declare Function lms_open Lib "license_manager32.dll" (ByVal options As String) As Long
Private Declare Function lms_error Lib "license_manager32.dll" () As Long
Private Declare Function lms_check Lib "license_manager32.dll" (ByVal handle As Long, ByVal key As String) As Long
Private Declare Function lms_start Lib "license_manager32.dll" (ByVal handle As Long, ByVal key As String) As Long
Private Declare Sub lms_stop Lib "license_manager32.dll" (ByVal handle As Long)
Private Declare Function lms_has Lib "license_manager32.dll" (ByVal handle As Long, ByVal code As String) As Long
Private Declare Function lms_get Lib "license_manager32.dll" (ByVal handle As Long, ByVal name As String) As Long
Private Declare Function lms_release Lib "license_manager32.dll" (ByVal handle As Long, ByVal key As String) As Long
Private Declare Function lms_portal_url Lib "license_manager32.dll" (ByVal handle As Long, ByVal key As String) As Long
Private Declare Function lms_use Lib "license_manager32.dll" (ByVal handle As Long, ByVal code As String, ByVal amount As Long) As Long
Private Declare Function lms_consume Lib "license_manager32.dll" (ByVal handle As Long, ByVal code As String, ByVal amount As Long) As Long
Private Declare Function lms_start_trial Lib "license_manager32.dll" (ByVal handle As Long, ByVal email As String, ByVal userName As String) As Long
Private Declare Sub lms_close Lib "license_manager32.dll" (ByVal handle As Long)
Private Declare Sub lms_free Lib "license_manager32.dll" (ByVal text As Long)
Private Declare Function lstrlenA Lib "kernel32" (ByVal text As Long) As Long
Private Declare Function MultiByteToWideChar Lib "kernel32" (ByVal page As Long, ByVal flags As Long, _
    ByVal text As Long, ByVal length As Long, ByVal wide As Long, ByVal size As Long) As Long
#End If

Private Const UTF8 As Long = 65001

' Opens a licence and gives its handle. keys are those of LicenseKey, with a comma between them. extra is more JSON, such as
' LicenseOption("appVersion", "1.0.0"). A wrong option is an error, because it is a mistake of the programmer.
Public Function LicenseOpen(server As String, software As String, store As String, keys As String, _
    Optional extra As String = "") As Long
    Dim options As String
    options = "{" & LicenseOption("server", server) & "," & LicenseOption("software", software) & "," & _
        LicenseOption("store", store) & ",""keys"":[" & keys & "]"
    If extra <> "" Then options = options & "," & extra
    LicenseOpen = lms_open(options & "}")
    If LicenseOpen = 0 Then Err.Raise 5, "LicenseManager", Taken(lms_error())
End Function

' A public key, a constant of the program.
Public Function LicenseKey(kid As String, x As String, y As String) As String
    LicenseKey = "{" & LicenseOption("kid", kid) & "," & LicenseOption("x", x) & "," & LicenseOption("y", y) & "}"
End Function

Public Function LicenseOption(name As String, value As String) As String
    LicenseOption = Quoted(name) & ":" & Quoted(value)
End Function

' Whether the program may run. It waits for the server, twice the timeout at most.
Public Function LicenseCheck(handle As Long, key As String) As Boolean
    Dim ignored As String
    ignored = Taken(lms_check(handle, key))
    LicenseCheck = LicenseOk(handle)
End Function

' Checks in the background until LicenseStop; a Timer reads LicenseOk and LicenseMessage, at once what is kept.
Public Sub LicenseStart(handle As Long, key As String)
    Dim ignored As Long
    ignored = lms_start(handle, key)
End Sub

Public Sub LicenseStop(handle As Long)
    lms_stop handle
End Sub

' Whether the first check of LicenseStart is under way.
Public Function LicensePending(handle As Long) As Boolean
    LicensePending = (LicenseGet(handle, "pending") = "true")
End Function

Public Function LicenseOk(handle As Long) As Boolean
    LicenseOk = (LicenseGet(handle, "ok") = "true")
End Function

Public Function LicenseHas(handle As Long, code As String) As Boolean
    LicenseHas = (lms_has(handle, code) = 1)
End Function

' A field of the last result, such as reason, daysLeft or features.usuarios; empty where there is none.
Public Function LicenseGet(handle As Long, name As String) As String
    LicenseGet = Taken(lms_get(handle, name))
End Function

' The text for the program's user, in es or en; empty where all is well.
Public Function LicenseMessage(handle As Long, language As String) As String
    LicenseMessage = LicenseGet(handle, "message." & language)
End Function

' Gives the seat back. Where it is False, LicenseGet(handle, "releaseReason") says why.
Public Function LicenseRelease(handle As Long, key As String) As Boolean
    LicenseRelease = (lms_release(handle, key) = 1)
End Function

' An address of the portal for the browser. Where it is empty, LicenseGet(handle, "portalReason") says why.
Public Function LicensePortalUrl(handle As Long, key As String) As String
    LicensePortalUrl = Taken(lms_portal_url(handle, key))
End Function

' Notes what was used, for a meter of the licence; checks send it, and it counts once. Whether it is kept: not where less is
' left, of a meter that refuses what is beyond.
Public Function LicenseUse(handle As Long, code As String, amount As Long) As Boolean
    LicenseUse = (lms_use(handle, code, amount) = 1)
End Function

' Asks the server to count it now, with the key that was checked last. True only where it did.
Public Function LicenseConsume(handle As Long, code As String, amount As Long) As Boolean
    LicenseConsume = (lms_consume(handle, code, amount) = 1)
End Function

' What is left of a meter, also without connection; empty without a limit, and where nothing is kept.
Public Function LicenseRemaining(handle As Long, code As String) As String
    LicenseRemaining = LicenseGet(handle, "remaining." & code)
End Function

' The key of the trial of this computer; mail and name may be empty. Where it is empty, LicenseGet(handle, "trialReason") says why.
Public Function LicenseStartTrial(handle As Long, email As String, userName As String) As String
    LicenseStartTrial = Taken(lms_start_trial(handle, email, userName))
End Function

Public Sub LicenseClose(handle As Long)
    lms_close handle
End Sub

' Copies a text of the library, and frees it.
#If VBA7 Then
Private Function Taken(ByVal text As LongPtr) As String
#Else
Private Function Taken(ByVal text As Long) As String
#End If
    Dim bytes As Long, signs As Long
    bytes = lstrlenA(text)
    If bytes > 0 Then
        signs = MultiByteToWideChar(UTF8, 0, text, bytes, 0, 0)
        Taken = String$(signs, vbNullChar)
        MultiByteToWideChar UTF8, 0, text, bytes, StrPtr(Taken), signs
    End If
    lms_free text
End Function

' JSON in ASCII, because a declared function gets its texts in the code page of the system.
Private Function Quoted(text As String) As String
    Dim place As Long, code As Long
    For place = 1 To Len(text)
        code = AscW(Mid$(text, place, 1)) And &HFFFF&
        If code < 32 Or code > 126 Or code = 34 Or code = 92 Then
            Quoted = Quoted & "\u" & Right$("0000" & Hex$(code), 4)
        Else
            Quoted = Quoted & Chr$(code)
        End If
    Next
    Quoted = """" & Quoted & """"
End Function
