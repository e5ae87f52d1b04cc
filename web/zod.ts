import { config } from 'zod/v4/core';

// Compiled checks are made with `new Function`, which the Content-Security-Policy refuses; imported before any schema.
// From the core, so that the first screen, which has no schema, does not carry all of zod for this one line.
config({ jitless: true });
