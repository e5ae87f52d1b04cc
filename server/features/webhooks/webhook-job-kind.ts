/** The kind of the job that delivers messages; its definition would make a circle of imports. */
export const WEBHOOK_JOB = 'webhooks';
