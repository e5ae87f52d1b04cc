import { Button } from '../ui/button.tsx';

interface SubmitProps {
  busy: boolean;
  busyLabel: string;
  children: string;
}

/** The primary button of a page. */
export const Submit = ({ busy, busyLabel, children }: SubmitProps) => (
  <Button
    type="submit"
    variant="primary"
    size="lg"
    busy={busy}
    busyLabel={busyLabel}
    className="w-full text-base"
  >
    {children}
  </Button>
);
