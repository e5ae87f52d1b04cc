/**
 * The kind of the job that delivers messages. It is in a separate file, because importing the job's definition would
 * make a cycle of imports.
 */
export const WEBHOOK_JOB = 'webhooks';
