import { useQuery } from '@tanstack/react-query';
import { licenseQuery } from '../../components/license/licenses.api.ts';
import { DetailsDialog } from '../../components/record/details-dialog.tsx';
import { OpenPageLink } from '../../components/record/open-page-link.tsx';
import { licenseTexts } from '../../text/es-licenses.ts';
import { type LicensePlaceProps, licensePlace } from './license-place.tsx';

interface LicenseDetailsDialogProps extends LicensePlaceProps {
  id: number;
  onClose: () => void;
}

/** The dialog 'Detalles de la Licencia' over the list (SEED-2.8-21 to -24). */
export function LicenseDetailsDialog({ id, onClose, ...place }: LicenseDetailsDialogProps) {
  const { subject, content } = licensePlace(place);
  return (
    <DetailsDialog
      query={useQuery(licenseQuery(id))}
      size="place"
      steady
      texts={licenseTexts}
      nameOf={({ license_key }) => license_key}
      subject={(license) => subject(license, <OpenPageLink kind="licenses" id={id} tab={place.tab} />)}
      onClose={onClose}
    >
      {content}
    </DetailsDialog>
  );
}
