import type { BrowserContext, Page } from '@playwright/test';

/** Collects console errors, exceptions and policy violations. A test can allow errors that it expects. */
export type PageGuard = {
  /**
   * Allows console errors that match, e.g. `/401/` for a sign-in that must fail: the browser logs every failed request
   * as 'Failed to load resource: …' followed by its address. Exceptions and policy violations cannot be allowed: they
   * are always a fault.
   */
  allowConsoleError: (pattern: RegExp) => void;
  /** Watches another browser context too. */
  watch: (context: BrowserContext) => Promise<void>;
  /** The problems, one line each; empty if there are none. */
  problems: () => string[];
};

/** Tests that open a mail pass this to `allowConsoleError`: no script runs in its frame, not even Playwright's. */
export const NO_SCRIPT_IN_MAIL = /Blocked script execution in '[^']*\/mail-frame\.html'/;

const binding = '__reportPolicyViolation';

/** Runs in the page before its scripts. */
function reportPolicyViolations(name: string): void {
  document.addEventListener('securitypolicyviolation', (event) => {
    const report: unknown = Reflect.get(globalThis, name);
    if (typeof report !== 'function') return;
    report(
      `${event.effectiveDirective} blocked ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber} ${event.sample}`,
    );
  });
}

export function createPageGuard(): PageGuard {
  const allowed: RegExp[] = [];
  const consoleErrors: string[] = [];
  const faults: string[] = [];

  const watchPage = (page: Page): void => {
    page.on('pageerror', (error) => faults.push(`exception: ${error.stack ?? error.message}`));
    page.on('crash', () => faults.push('the page crashed'));
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      consoleErrors.push(`${message.text()} ${message.location().url}`);
    });
  };

  return {
    allowConsoleError: (pattern) => allowed.push(pattern),
    watch: async (context) => {
      for (const page of context.pages()) watchPage(page);
      context.on('page', watchPage);
      await context.exposeBinding(binding, (_source, report: string) => {
        faults.push(`policy violation: ${report}`);
      });
      await context.addInitScript(reportPolicyViolations, binding);
    },
    problems: () => [
      ...faults,
      ...consoleErrors
        .filter((line) => !allowed.some((pattern) => pattern.test(line)))
        .map((line) => `console error: ${line}`),
    ],
  };
}
