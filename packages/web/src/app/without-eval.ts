/**
 * Keeps zod from asking whether it may compile code from text: the policy of the page forbids it, and browsers report the
 * mere question. It is asked when the first schema is made, so this comes before all else; zod itself is not loaded by it.
 */
export function withoutEval(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
}
