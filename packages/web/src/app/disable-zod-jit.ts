/**
 * Stops zod from probing `new Function`: the Content Security Policy forbids it, and browsers report the attempt. zod probes
 * when the first schema is created, so this has to run before that. It does not load zod.
 */
export function disableZodJit(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
}
