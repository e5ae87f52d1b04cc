import { Lock } from 'lucide-react';
import { noPermissionTexts } from '../../text/es-layout.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** Shown instead of a screen that the role of the signed-in person does not allow (PEOPLE-02). */
export const NoPermission = () => (
  <Card>
    <h1 className="sr-only">{noPermissionTexts.title}</h1>
    <EmptyState icon={Lock} title={noPermissionTexts.title} hint={noPermissionTexts.hint} />
  </Card>
);
