import { useRef, useState } from 'react';
import type { LicenseRowAnswer } from '../../../contract/licenses/license-can.ts';
import { whyTexts as texts } from '../../text/es-why.ts';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { type Remedy, WhyDialog } from './why-dialog.tsx';

interface WhyButtonProps {
  license: LicenseRowAnswer;
  onMend: (remedy: Remedy) => void;
}

/** The button '¿Por qué?' beside the state of a licence in its details. */
export function WhyButton({ license, onMend }: WhyButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const buttonRef = useRef<HTMLButtonElement>(null);
  return (
    <>
      <TextButton ref={buttonRef} className="text-sm" onClick={() => setOpen(true)}>
        {texts.ask}
      </TextButton>
      <DialogPlace open={isOpen}>
        {isOpen && (
          <WhyDialog
            license={license}
            onMend={(remedy) => {
              setOpen(false);
              onMend(remedy);
            }}
            onClose={() => setOpen(false)}
            finalFocus={buttonRef}
          />
        )}
      </DialogPlace>
    </>
  );
}
