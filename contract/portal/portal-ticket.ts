import { machineWarningShape } from '../programs/machine-warning.ts';
import { portalAddress } from './portal.ts';

/** The answer to a program that asked for an address of the portal for its machine. */
export const portalTicketAddress = portalAddress
  .extend(machineWarningShape)
  .meta({ id: 'PortalTicketAddress' });
