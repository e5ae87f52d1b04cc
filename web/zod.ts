// Compiled checks are made with `new Function`, which the Content-Security-Policy refuses. This is what zod's own
// `config({ jitless: true })` sets, and where zod looks when it is loaded; called here, it would bring a part of zod to
// the first screen, which has no schema.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
