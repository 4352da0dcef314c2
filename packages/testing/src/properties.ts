import fc from "fast-check";

/**
 * The seed of property tests, so that a run that passed passes again. Another one is tried with FAST_CHECK_SEED, for
 * example `FAST_CHECK_SEED=$RANDOM npm test -- sanitize`.
 */
const DEFAULT_SEED = 20_261_123;

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? DEFAULT_SEED) });

export { fc };
