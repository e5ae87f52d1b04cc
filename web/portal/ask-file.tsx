import { type FormEvent, useState } from 'react';
import type { PortalLicense } from '../../contract/portal/portal-licenses.ts';
import { portalActionTexts as texts } from '../text/es-portal-licenses.ts';
import { Failure } from '../ui/banner.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { download } from './call.ts';
import { Question, QuestionButtons } from './question.tsx';
import { refusalOf } from './refusal.ts';
import { useSession } from './session.ts';
import { useWork } from './use-work.ts';

interface FileProps {
  license: PortalLicense;
  onClose: () => void;
  /** Called with a message after the download. */
  onDone: (said: string) => void;
}

/**
 * Requests a license file. In a session that began with a ticket, the file is for the ticket's machine; otherwise the
 * client enters the machine.
 */
export function FileQuestion({ license, onClose, onDone }: FileProps) {
  const { me } = useSession();
  const { busy, error, run } = useWork();
  const [machineId, setMachineId] = useState('');
  const [machineName, setMachineName] = useState('');
  const [tried, setTried] = useState(false);
  const isOwn = me.client === null;
  const isBlank = !isOwn && machineId.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isBlank) return;
    const body = {
      ...(!isOwn && { machine_id: machineId }),
      ...(machineName.trim() !== '' && { machine_name: machineName }),
    };
    void run(() =>
      download(`licenses/${license.id}/file/`, body, 'licencia.lic').then(() => onDone(texts.downloaded)),
    );
  };
  const ofId = (tried && isBlank ? texts.machineIdRequired : undefined) ?? error?.fieldErrors.machine_id?.[0];
  const ofName = error?.fieldErrors.machine_name?.[0];
  return (
    <Question title={texts.fileTitle} onClose={onClose}>
      <p className="mt-1 text-muted">{isOwn ? texts.fileOwnLead : texts.fileLead}</p>
      <form noValidate onSubmit={submit} className="mt-4 space-y-4">
        {!isOwn && (
          <>
            <Field label={texts.machineId} error={ofId}>
              <TextInput
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                value={machineId}
                onChange={({ target }) => setMachineId(target.value)}
                className="h-12 text-base"
              />
            </Field>
            <Field label={texts.machineName} error={ofName}>
              <TextInput
                autoComplete="off"
                value={machineName}
                onChange={({ target }) => setMachineName(target.value)}
                className="h-12 text-base"
              />
            </Field>
          </>
        )}
        <Failure text={error && !ofId && !ofName ? refusalOf(error) : null} />
        <QuestionButtons busy={busy} label={texts.download} busyLabel={texts.downloading} onClose={onClose} />
      </form>
    </Question>
  );
}
