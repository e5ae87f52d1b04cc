import { Failure } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';

interface WideSubmitProps {
  label: string;
  busyLabel: string;
  busy: boolean;
  /** What failed, above the button. */
  failure?: string | null;
}

/** The end of a form outside of the frame: its button, as wide as its fields. */
export const WideSubmit = ({ label, busyLabel, busy, failure = null }: WideSubmitProps) => (
  <>
    <Failure text={failure} />
    <Button type="submit" variant="primary" size="lg" busy={busy} busyLabel={busyLabel} className="w-full">
      {label}
    </Button>
  </>
);
