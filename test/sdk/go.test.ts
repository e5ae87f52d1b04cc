import { testSdk } from './suite.ts';

await testSdk('go');
