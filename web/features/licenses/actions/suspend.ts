import { CirclePause } from 'lucide-react';
import { defineAction } from './action-definition.ts';

export const suspend = defineAction({
  name: 'suspend',
  icon: CirclePause,
  tells: false,
  reason: 'optional',
  blank: {},
  body: () => ({}),
});
