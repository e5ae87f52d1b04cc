import { type ComponentProps, type ReactNode, Suspense, useRef, useState } from 'react';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import type { Software } from '../../../contract/software/software.ts';
import { type Offer, useOffers } from '../../api/offers.ts';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { licenseRecordTexts as texts } from '../../text/es-license.ts';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { TextButton } from '../../ui/text-button.tsx';

const forms = codeOf(() => import('./quick-forms.tsx'));
const SoftwareQuickForm = lazyComponent(forms, (module) => module.SoftwareQuickForm);
const LicenseTypeQuickForm = lazyComponent(forms, (module) => module.LicenseTypeQuickForm);

interface OfferedChoiceProps<Row> {
  /** Undefined while they load. */
  rows: readonly Row[] | undefined;
  /** The chosen id, '' for none. */
  chosen: string;
  nameOf: (row: Row) => string;
  onChoose: (row: Row) => void;
}

type Active = { is_active: boolean };

/** The only active record, null if there is none, undefined if there are several or one is chosen. */
function onlyOf<Row extends Active>(
  rows: readonly Row[] | undefined,
  chosen: string,
): Row | null | undefined {
  const active = rows?.filter(({ is_active }) => is_active);
  if (active === undefined || chosen !== '' || active.length > 1) return undefined;
  return active[0] ?? null;
}

/**
 * Whether something helps to choose, where nothing is chosen by itself (DESK-06): the only active record by one button,
 * or where there is none, the form that makes it.
 */
export function useHasOffer(what: Extract<Offer, 'software.create' | 'license_types.create'>) {
  const mayMake = useOffers()(what);
  return (rows: readonly Active[] | undefined, chosen: string): boolean => {
    const only = onlyOf(rows, chosen);
    return only === null ? mayMake : only !== undefined;
  };
}

/** Under the select of the software. */
export function OfferedSoftware(props: OfferedChoiceProps<Software>) {
  const only = onlyOf(props.rows, props.chosen);
  if (only) return <Use {...props} row={only} />;
  return <Making label={texts.makeSoftware} Form={SoftwareQuickForm} onCreated={props.onChoose} />;
}

/** Under the select of the licence type. */
export function OfferedType(props: OfferedChoiceProps<LicenseType>) {
  const only = onlyOf(props.rows, props.chosen);
  if (only) return <Use {...props} row={only} />;
  return <Making label={texts.makeType} Form={LicenseTypeQuickForm} onCreated={props.onChoose} />;
}

const Use = <Row,>({ row, nameOf, onChoose }: OfferedChoiceProps<Row> & { row: Row }) => (
  <TextButton onClick={() => onChoose(row)}>{texts.use(nameOf(row))}</TextButton>
);

interface MakingProps<Row> {
  label: string;
  Form: (props: {
    onCreated: (row: Row) => void;
    onClose: () => void;
    finalFocus: NonNullable<ComponentProps<typeof SoftwareQuickForm>['finalFocus']>;
  }) => ReactNode;
  onCreated: (row: Row) => void;
}

function Making<Row>({ label, Form, onCreated }: MakingProps<Row>) {
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  return (
    <span ref={place}>
      <TextButton onClick={() => setIsOpen(true)}>{label}</TextButton>
      <DialogPlace open={isOpen}>
        {isOpen && (
          <Suspense>
            <Form
              onClose={() => setIsOpen(false)}
              onCreated={(row) => {
                setIsOpen(false);
                onCreated(row);
              }}
              finalFocus={() => place.current?.closest('div')?.querySelector('select, button') ?? undefined}
            />
          </Suspense>
        )}
      </DialogPlace>
    </span>
  );
}
