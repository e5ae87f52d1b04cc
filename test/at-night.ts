/**
 * Tags of tests for which a change does not wait: they take several seconds, and quicker tests of the same behaviour
 * run with every change (docs/decisions/109-a-gate-of-thirteen-minutes.md). All of them run at night.
 */

/** The test runs at night only. */
export const NIGHT = 'night';

/** The test runs with every change on SQLite, and on PostgreSQL at night. */
export const POSTGRES_AT_NIGHT = process.env.TEST_ENGINE === 'postgres' ? NIGHT : 'each-change';
