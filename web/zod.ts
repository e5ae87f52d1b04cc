// zod compiles its checks with `new Function`, which the Content-Security-Policy refuses. This sets the global
// variable that zod reads when it is loaded, with the same effect as its `config({ jitless: true })`. Calling that
// function here would load a part of zod with the first screen, which has no schema.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
