/** What was looked at, how it stands, and what to do about it. */
export type Check = {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly detail: string;
  readonly hint: string | null;
};

export const ok = (name: string, detail: string): Check => ({ name, state: "ok", detail, hint: null });
export const warn = (name: string, detail: string, hint: string): Check => ({ name, state: "warn", detail, hint });
export const fail = (name: string, detail: string, hint: string): Check => ({ name, state: "fail", detail, hint });
