import { ImageUp, Trash2 } from 'lucide-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { LOGO_BYTES_MAX, LOGO_MESSAGES, LOGO_TYPES, type LogoType } from '../../../contract/settings/logo.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { useOffers } from '../../api/offers.ts';
import { Offered } from '../../components/screen/offered.tsx';
import { logoAddress, useSaveLogo } from '../../components/settings/settings.api.ts';
import { logoTexts as texts } from '../../text/es-settings.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorText } from '../../ui/field.tsx';
import { toasts } from '../../ui/toasts.ts';
import { SHEET } from './mail-preview.tsx';

/** Why a file cannot be the logo, as far as its type and size show. The server checks its content. */
function refusalOf(file: File): string | null {
  if (!LOGO_TYPES.includes(file.type as LogoType)) return LOGO_MESSAGES.type;
  return file.size > LOGO_BYTES_MAX ? LOGO_MESSAGES.size : null;
}

/** The logo with its buttons. A file can be chosen or dropped, and is stored at once; it is not part of the form. */
export function LogoField({ storedAt }: { storedAt: string | null }) {
  const save = useSaveLogo();
  const input = useRef<HTMLInputElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const errorId = useId();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const [asksToRemove, setAsksToRemove] = useState(false);
  const maySave = useOffers()('settings.save');
  const isUploading = save.isPending && save.variables !== null;

  const store = async (file: File | null) => {
    setRefusal(null);
    try {
      await save.mutateAsync(file);
      toasts.success(file === null ? texts.removed : texts.saved);
    } catch (error) {
      const ofField = error instanceof ApiError ? error.fieldErrors.logo?.join(' ') : undefined;
      setRefusal(ofField ?? errorMessage(error));
    } finally {
      setAsksToRemove(false);
    }
  };

  const take = (file: File | undefined) => {
    if (file === undefined || save.isPending || !maySave) return;
    const reason = refusalOf(file);
    if (reason === null) void store(file);
    else setRefusal(reason);
  };

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, and this label stands above a box
    <div role="group" aria-label={texts.label} className="space-y-1.5">
      <p className="font-medium">{texts.label}</p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is the first */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cx(
          'flex flex-wrap items-center gap-4 rounded-lg border border-dashed p-4 transition-colors',
          isOver ? 'border-brand bg-brand-tint' : 'border-border-strong',
        )}
      >
        {storedAt === null ? (
          <p className="text-muted">{texts.none}</p>
        ) : (
          <span className="flex rounded-md border border-border p-2" style={SHEET}>
            <img src={logoAddress(storedAt)} alt={texts.alt} className="h-12 max-w-48 object-contain" />
          </span>
        )}
        <Offered what="settings.save">
          <div className="flex flex-wrap gap-2">
            <input
              ref={input}
              type="file"
              hidden
              accept={LOGO_TYPES.join(',')}
              onChange={({ target }) => {
                take(target.files?.[0]);
                // Cleared, so that choosing the same file again causes a change event.
                target.value = '';
              }}
            />
            <Button
              ref={chooseButton}
              icon={ImageUp}
              busy={isUploading}
              busyLabel={texts.uploading}
              aria-describedby={refusal === null ? undefined : errorId}
              onClick={() => input.current?.click()}
            >
              {storedAt === null ? texts.choose : texts.change}
            </Button>
            {storedAt !== null && (
              <Button variant="ghost" icon={Trash2} onClick={() => setAsksToRemove(true)}>
                {texts.remove}
              </Button>
            )}
          </div>
        </Offered>
      </div>
      <div aria-live="polite">{refusal !== null && <ErrorText id={errorId}>{refusal}</ErrorText>}</div>
      {maySave && <p className="text-xs text-muted">{texts.hint}</p>}
      <ConfirmDialog
        open={asksToRemove}
        title={texts.removeTitle}
        text={texts.removeText}
        confirmLabel={texts.remove}
        busyLabel={texts.removing}
        busy={save.isPending}
        tone="danger"
        onConfirm={() => void store(null)}
        onCancel={() => setAsksToRemove(false)}
        finalFocus={chooseButton}
      />
    </div>
  );
}
