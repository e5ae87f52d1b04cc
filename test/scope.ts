import type { Db } from '../server/db/tables.ts';
import { inScope, type Scope, SYSTEM } from '../server/scope.ts';
import type { TestApp } from './app.ts';

/** Runs actions with the actor 'system', in one transaction. */
export const asSystem = <Result>(testApp: TestApp, work: (scope: Scope) => Promise<Result>) =>
  inScope(testApp.context, { actor: SYSTEM }, work);

/** A scope in a transaction that the test ends. */
export const scopeIn = ({ context }: TestApp, tx: Db): Scope => ({
  tx,
  actor: SYSTEM,
  origin: { ip: null, requestId: null },
  now: context.now(),
  expected: null,
  timeZone: context.config.timeZone,
  mailFrom: context.config.mailFrom,
  publicUrl: context.config.publicUrl,
  clientUrl: context.config.clientUrl,
  secrets: context.secrets,
  publish: context.publish,
  afterCommit: () => {},
  nudgeJobs: () => {},
});
