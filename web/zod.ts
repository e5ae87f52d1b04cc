import { z } from 'zod';

// Compiled checks are made with `new Function`, which the Content-Security-Policy refuses; imported before any schema.
z.config({ jitless: true });
