/** A check with its result, and what to do about it. */
export type Check = {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly detail: string;
  readonly hint: string | null;
};

/** Creates a check that passed. */
export const ok = (name: string, detail: string): Check => ({ name, state: "ok", detail, hint: null });
/** Creates a check that found a possible problem. */
export const warn = (name: string, detail: string, hint: string): Check => ({ name, state: "warn", detail, hint });
/** Creates a check that failed. */
export const fail = (name: string, detail: string, hint: string): Check => ({ name, state: "fail", detail, hint });
