import { Lock } from 'lucide-react';
import { noPermissionTexts } from '../../text/es-layout.ts';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import type { DialogSize } from '../../ui/dialog-look.ts';
import { EmptyState } from '../../ui/states.tsx';

interface RefusedFormProps {
  title: string;
  size?: DialogSize | undefined;
  onClose: () => void;
}

/** Shown for the address of a form that the person's role does not allow. */
export const RefusedForm = ({ title, size, onClose }: RefusedFormProps) => (
  <DialogFrame title={title} {...(size && { size })} onClose={onClose}>
    <EmptyState icon={Lock} title={noPermissionTexts.form} hint={noPermissionTexts.hint} />
  </DialogFrame>
);
