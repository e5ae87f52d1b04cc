import type { Page } from '@playwright/test';
import type { PaySamples } from './samples.ts';

/** One picture: a screen or dialog, and how it is reached. */
export type View = {
  name: string;
  address: string;
  /** A text that is visible once the screen is ready. */
  ready: string;
  /** Actions before the screenshot. */
  act?: (page: Page) => Promise<void>;
  /** Actions after the screenshot. */
  undo?: (page: Page) => Promise<void>;
  signedOut?: boolean;
  /** True for a page of the client portal, where a client of the sample data is signed in. */
  portal?: boolean;
  /** True for a screen of a production installation without data and mail server. */
  empty?: boolean;
  /** The address ends with the code of this payment request, or in the console with its id. */
  pays?: keyof PaySamples;
  /** What follows the code or the id. */
  after?: string;
};
