import { KeyRound } from 'lucide-react';
import { defineAction } from './action-definition.ts';

export const replaceKey = defineAction({
  name: 'replace_key',
  icon: KeyRound,
  tells: true,
  reason: 'optional',
  blank: {},
  body: () => ({}),
});
