import { testSdk } from './suite.ts';

await testSdk('python');
