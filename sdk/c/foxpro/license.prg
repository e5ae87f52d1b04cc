* SPDX-License-Identifier: MIT

* The licence of a program, for Visual FoxPro 9. sdk/README.md says what every SDK does.
* SET PROCEDURE TO license ADDITIVE, and then CREATEOBJECT("License").

DEFINE CLASS License AS Custom
  * What is empty has its default. Timeout is in seconds; 0 is 5.
  Server = ""
  Software = ""
  StorePath = ""
  FileName = ""
  MachineId = ""
  MachineName = ""
  Instance = ""
  AppVersion = ""
  ReleasedOn = ""
  Timeout = 0
  * The wrong option, when Open gave .F.
  Problem = ""
  PROTECTED Handle, Keys
  Handle = 0
  Keys = ""

  PROCEDURE Init
    * STDCALL, in a DLL of 32 bits beside the program. Texts are given back as addresses, so that they can be freed.
    DECLARE INTEGER lms_open IN license_manager32.dll STRING options
    DECLARE INTEGER lms_error IN license_manager32.dll
    DECLARE INTEGER lms_check IN license_manager32.dll INTEGER handle, STRING licenseKey
    DECLARE INTEGER lms_start IN license_manager32.dll INTEGER handle, STRING licenseKey
    DECLARE lms_stop IN license_manager32.dll INTEGER handle
    DECLARE INTEGER lms_has IN license_manager32.dll INTEGER handle, STRING code
    DECLARE INTEGER lms_get IN license_manager32.dll INTEGER handle, STRING fieldName
    DECLARE INTEGER lms_release IN license_manager32.dll INTEGER handle, STRING licenseKey
    DECLARE INTEGER lms_portal_url IN license_manager32.dll INTEGER handle, STRING licenseKey
    DECLARE INTEGER lms_use IN license_manager32.dll INTEGER handle, STRING code, INTEGER amount
    DECLARE INTEGER lms_consume IN license_manager32.dll INTEGER handle, STRING code, INTEGER amount
    DECLARE INTEGER lms_start_trial IN license_manager32.dll INTEGER handle, STRING email, STRING userName
    DECLARE lms_close IN license_manager32.dll INTEGER handle
    DECLARE lms_free IN license_manager32.dll INTEGER address
    DECLARE INTEGER lstrlenA IN kernel32 INTEGER address
  ENDPROC

  * A public key, a constant of the program.
  PROCEDURE AddKey(tcKid, tcX, tcY)
    THIS.Keys = THIS.Keys + IIF(EMPTY(THIS.Keys), "", ",") + '{"kid":' + THIS.Quoted(tcKid) + ;
      ',"x":' + THIS.Quoted(tcX) + ',"y":' + THIS.Quoted(tcY) + '}'
  ENDPROC

  FUNCTION Open
    LOCAL lcOptions
    lcOptions = '{"server":' + THIS.Quoted(THIS.Server) + ',"software":' + THIS.Quoted(THIS.Software) + ;
      ',"store":' + THIS.Quoted(THIS.StorePath) + ',"file":' + THIS.Quoted(THIS.FileName)
    lcOptions = lcOptions + ',"machineId":' + THIS.Quoted(THIS.MachineId) + ;
      ',"machineName":' + THIS.Quoted(THIS.MachineName) + ',"instance":' + THIS.Quoted(THIS.Instance)
    lcOptions = lcOptions + ',"appVersion":' + THIS.Quoted(THIS.AppVersion) + ;
      ',"releasedOn":' + THIS.Quoted(THIS.ReleasedOn) + ',"timeout":' + TRANSFORM(THIS.Timeout) + ',"keys":[' + THIS.Keys + ']}'
    THIS.Handle = lms_open(lcOptions)
    IF THIS.Handle = 0
      THIS.Problem = THIS.Taken(lms_error())
    ENDIF
    RETURN THIS.Handle <> 0
  ENDFUNC

  * Whether the program may run. It waits for the server, twice the timeout at most.
  FUNCTION Check(tcKey)
    THIS.Taken(lms_check(THIS.Handle, THIS.Utf8(tcKey)))
    RETURN THIS.Ok()
  ENDFUNC

  * Checks in the background until Stop; a Timer reads Ok and Message, at once what is kept.
  PROCEDURE Start(tcKey)
    lms_start(THIS.Handle, THIS.Utf8(tcKey))
  ENDPROC

  PROCEDURE Stop
    lms_stop(THIS.Handle)
  ENDPROC

  * Whether the first check of Start is under way.
  FUNCTION Pending
    RETURN THIS.Get("pending") == "true"
  ENDFUNC

  FUNCTION Ok
    RETURN THIS.Get("ok") == "true"
  ENDFUNC

  FUNCTION Has(tcCode)
    RETURN lms_has(THIS.Handle, THIS.Utf8(tcCode)) = 1
  ENDFUNC

  * A field of the last result, such as reason, daysLeft or features.usuarios; empty where there is none.
  FUNCTION Get(tcName)
    RETURN THIS.Taken(lms_get(THIS.Handle, THIS.Utf8(tcName)))
  ENDFUNC

  * The text for the program's user, in "es" or "en"; empty where all is well.
  FUNCTION Message(tcLanguage)
    RETURN THIS.Get("message." + tcLanguage)
  ENDFUNC

  * The id of this computer, which a licence file is issued for.
  FUNCTION ThisMachine
    RETURN THIS.Get("machineId")
  ENDFUNC

  * Gives the seat back. Where it is .F., Get("releaseReason") says why.
  FUNCTION Release(tcKey)
    RETURN lms_release(THIS.Handle, THIS.Utf8(tcKey)) = 1
  ENDFUNC

  * An address of the portal for the browser. Where it is empty, Get("portalReason") says why.
  FUNCTION PortalUrl(tcKey)
    RETURN THIS.Taken(lms_portal_url(THIS.Handle, THIS.Utf8(tcKey)))
  ENDFUNC

  * Notes what was used, for a meter of the licence; checks send it, and it counts once. Whether it is kept: not where less is
  * left, of a meter that refuses what is beyond.
  FUNCTION NoteUse(tcCode, tnAmount)
    RETURN lms_use(THIS.Handle, THIS.Utf8(tcCode), tnAmount) = 1
  ENDFUNC

  * Asks the server to count it now, with the key that was checked last. .T. only where it did.
  FUNCTION Consume(tcCode, tnAmount)
    RETURN lms_consume(THIS.Handle, THIS.Utf8(tcCode), tnAmount) = 1
  ENDFUNC

  * What is left of a meter, also without connection; empty without a limit, and where nothing is kept.
  FUNCTION Remaining(tcCode)
    RETURN THIS.Get("remaining." + tcCode)
  ENDFUNC

  * The key of the trial of this computer; mail and name may be empty. Where it is empty, Get("trialReason") says why.
  FUNCTION StartTrial(tcEmail, tcName)
    RETURN THIS.Taken(lms_start_trial(THIS.Handle, THIS.Utf8(tcEmail), THIS.Utf8(tcName)))
  ENDFUNC

  PROCEDURE Destroy
    IF THIS.Handle <> 0
      lms_close(THIS.Handle)
    ENDIF
  ENDPROC

  * Copies a text of the library, and frees it.
  PROTECTED FUNCTION Taken(tnAddress)
    LOCAL lnLength, lcText
    lnLength = lstrlenA(tnAddress)
    lcText = IIF(lnLength = 0, "", SYS(2600, tnAddress, lnLength))
    lms_free(tnAddress)
    RETURN STRCONV(lcText, 11)
  ENDFUNC

  PROTECTED FUNCTION Utf8(tcText)
    RETURN STRCONV(tcText, 9)
  ENDFUNC

  PROTECTED FUNCTION Quoted(tcText)
    RETURN '"' + STRTRAN(STRTRAN(THIS.Utf8(tcText), '\', '\\'), '"', '\"') + '"'
  ENDFUNC
ENDDEFINE
