import { useQuery } from '@tanstack/react-query';
import { LICENSE_TYPE_LABELS as LABELS } from '../../../contract/license-types/license-types.fields.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { START_MODE_LABELS } from '../../../contract/licenses/sale-words.ts';
import { FeatureFacts } from '../../components/license/feature-facts.tsx';
import { MeterFacts } from '../../components/license/meter-facts.tsx';
import { SeatFacts } from '../../components/license/seat-facts.tsx';
import { unitOf } from '../../components/license/term-length.ts';
import { ActiveBadge } from '../../components/record/badges.tsx';
import { DateTime } from '../../components/record/date-time.tsx';
import { DetailsDialog, EditButton } from '../../components/record/details-dialog.tsx';
import { orToast, useAction } from '../../components/record/use-action.ts';
import { Offered } from '../../components/screen/offered.tsx';
import { actions, yesNo } from '../../text/es.ts';
import { dayCount, installationCount, licenseTypeTexts as texts } from '../../text/es-license-types.ts';
import { saleTexts } from '../../text/es-sales-options.ts';
import { labelIn, lengthInWords } from '../../text/es-terms.ts';
import { formatDate, formatMoney, formatPercent } from '../../text/format.ts';
import { Button } from '../../ui/button.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { toasts } from '../../ui/toasts.ts';
import { licenseTypeQuery, useRestoreLicenseType, useToggleLicenseType } from './license-types.api.ts';

interface LicenseTypeDetailsDialogProps {
  id: number;
  onEdit: () => void;
  onClose: () => void;
}

/**
 * The dialog 'Detalles del Tipo de Licencia'. Only the switch between active and inactive can be changed (D025, D026).
 */
export function LicenseTypeDetailsDialog({ id, onEdit, onClose }: LicenseTypeDetailsDialogProps) {
  const query = useQuery(licenseTypeQuery(id));
  const toggle = useToggleLicenseType();
  const restore = useRestoreLicenseType();
  const undo = (switched: LicenseType) =>
    orToast(texts.toggleFailed, async () => {
      await restore.mutateAsync(switched);
      toasts.success(texts.undone, switched.name);
    });
  const [switchStatus, switching] = useAction(texts.toggleFailed, async () => {
    const switched = await toggle.mutateAsync(id);
    toasts.success(switched.is_active ? texts.activated : texts.deactivated, switched.name, {
      label: actions.undo,
      run: () => void undo(switched),
    });
  });
  return (
    <DetailsDialog
      query={query}
      size="md"
      texts={texts}
      nameOf={({ name }) => name}
      onClose={onClose}
      subject={(type) => ({
        name: type.name,
        state: <ActiveBadge isActive={type.is_active} />,
        actions: (
          <>
            <Offered what="license_types.toggle">
              <Button size="sm" busy={switching} onClick={switchStatus}>
                {type.is_active ? texts.deactivate : texts.activate}
              </Button>
            </Offered>
            <Offered what="license_types.edit">
              <EditButton onClick={onEdit} />
            </Offered>
          </>
        ),
      })}
    >
      {(found) => <LicenseTypeFacts type={found} />}
    </DetailsDialog>
  );
}

function LicenseTypeFacts({ type }: { type: LicenseType }) {
  return (
    <>
      <p className="whitespace-pre-line text-muted wrap-anywhere">
        {type.description || texts.noDescription}
      </p>
      <DialogSection title={texts.terms} columns={1}>
        <Facts columns={3}>
          <Fact label={LABELS.base_price}>{formatMoney(type.base_price, type.currency)}</Fact>
          {type.renewal_price != null && (
            <Fact label={LABELS.renewal_price}>{formatMoney(type.renewal_price, type.currency)}</Fact>
          )}
          <Fact label={LABELS.max_installations}>{installationCount(type.max_installations)}</Fact>
          <Fact label={labelIn(unitOf(type.validity_months), LABELS.validity_days)}>
            {lengthInWords(type.validity_days, type.validity_months)}
          </Fact>
          {type.grace_days > 0 && <Fact label={LABELS.grace_days}>{dayCount(type.grace_days)}</Fact>}
          {type.offline_days !== undefined && (
            <Fact label={LABELS.offline_days}>{dayCount(type.offline_days)}</Fact>
          )}
          {type.is_public && <Fact label={LABELS.is_public}>{yesNo(true)}</Fact>}
          <SeatFacts of={type} />
          {type.start_mode === 'first_activation' && (
            <Fact label={LABELS.start_mode}>
              <span className="block">{START_MODE_LABELS.first_activation}</span>
              <span className="text-xs text-muted">{saleTexts.withinDays(type.activate_by_days)}</span>
            </Fact>
          )}
          {type.updates_days != null && (
            <Fact label={LABELS.updates_days}>{dayCount(type.updates_days)}</Fact>
          )}
          <Fact label={LABELS.features} wide>
            <FeatureFacts features={type.features} />
          </Fact>
          {Object.keys(type.meters ?? {}).length > 0 && (
            <Fact label={LABELS.meters} wide>
              <MeterFacts meters={type.meters} />
            </Fact>
          )}
        </Facts>
      </DialogSection>
      {type.is_promotion && (
        <DialogSection title={texts.promotion} columns={1}>
          <Facts>
            <Fact label={LABELS.promotion_name}>{type.promotion_name}</Fact>
            {type.discount_percentage !== null && (
              <Fact label={LABELS.discount_percentage}>{formatPercent(type.discount_percentage)}</Fact>
            )}
            <Fact label={LABELS.promotion_start_date}>
              {formatDate(type.promotion_start_date) || texts.notLimited}
            </Fact>
            <Fact label={LABELS.promotion_end_date}>
              {formatDate(type.promotion_end_date) || texts.notLimited}
            </Fact>
            {type.promotion_description && (
              <Fact label={LABELS.promotion_description} wide>
                <span className="whitespace-pre-line">{type.promotion_description}</span>
              </Fact>
            )}
          </Facts>
        </DialogSection>
      )}
      <Facts>
        <Fact label={LABELS.created_at}>
          <DateTime value={type.created_at} />
        </Fact>
        <Fact label={LABELS.updated_at}>
          <DateTime value={type.updated_at} />
        </Fact>
      </Facts>
    </>
  );
}
