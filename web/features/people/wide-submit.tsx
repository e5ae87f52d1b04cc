import { Failure } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';

interface WideSubmitProps {
  label: string;
  busyLabel: string;
  busy: boolean;
  /** The failure message above the button. */
  failure?: string | null;
}

/** The end of a form outside the frame: the button, as wide as the fields. */
export const WideSubmit = ({ label, busyLabel, busy, failure = null }: WideSubmitProps) => (
  <>
    <Failure text={failure} />
    <Button type="submit" variant="primary" size="lg" busy={busy} busyLabel={busyLabel} className="w-full">
      {label}
    </Button>
  </>
);
