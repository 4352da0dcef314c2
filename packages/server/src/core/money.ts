const NANO_USD_PER_CENT = 10_000_000n;

/** Converts whole cents to nano-USD. */
export const centsToNano = (cents: number): bigint => BigInt(cents) * NANO_USD_PER_CENT;

/** Converts nano-USD to whole cents and leaves out what is less than a cent. */
export const nanoToCents = (nano: bigint): number => Number(nano / NANO_USD_PER_CENT);
