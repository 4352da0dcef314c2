/** Finds what a newer contract takes away from callers of an older one. */
/** The parts of a bundled contract that callers depend on. */
export type ComparedContract = {
  paths: Readonly<Record<string, object>>;
  components?: object;
};
/**
 * Returns a sentence for every change that can break a caller: operations, parameters, fields and values taken away, what
 * became required in requests, and what became optional or changed its type in responses. Additions are no such changes.
 */
export declare function findBreakingChanges(before: ComparedContract, after: ComparedContract): string[];
