import { Ban } from 'lucide-react';
import { defineAction } from './action-definition.ts';

export const cancel = defineAction({
  name: 'cancel',
  icon: Ban,
  isDanger: true,
  tells: false,
  reason: 'optional',
  blank: {},
  body: () => ({}),
});
