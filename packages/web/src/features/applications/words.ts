import type { Application } from "./queries.ts";

type Scope = Application["scopes"][number];
export type Status = Application["status"];

/** What an application may ask for, in the words that the consent page uses. */
export const SCOPES: readonly { id: Scope; name: string; hint: string }[] = [
  { id: "user.read", name: "Read User Profile", hint: "Name, e-mail address, plan and usage." },
  { id: "user.write", name: "Modify User Profile", hint: "Change profile and settings, make and delete keys." },
  { id: "api.access", name: "API Access", hint: "Call models at the cost of the person's plan." },
];

const STATUS: Record<Status, { tier: string; word: string; note: string | null }> = {
  active: { tier: "good", word: "active", note: null },
  inactive: { tier: "cold", word: "off", note: "It is off: nobody can sign in with it, and its tokens are refused." },
  pending: {
    tier: "loading",
    word: "in review",
    note: "An admin of this server looks at it. Until then it gets no tokens.",
  },
  suspended: {
    tier: "bad",
    word: "suspended",
    note: "An admin of this server has suspended it. Its tokens are refused.",
  },
  rejected: {
    tier: "bad",
    word: "rejected",
    note: "An admin of this server has rejected it. Write to them to learn why.",
  },
};

export const statusWords = (status: Status) => STATUS[status];

/** What its owner may switch it to; null where an admin decides. */
export function switchOf(status: Status): { to: "active" | "inactive"; label: string } | null {
  if (status === "active") return { to: "inactive", label: "Switch off" };
  return status === "inactive" ? { to: "active", label: "Switch on" } : null;
}

export const CLIENT_TYPES = {
  confidential: { name: "Confidential", hint: "Runs on a server that can keep a secret." },
  public: { name: "Public", hint: "Runs in a browser, on a phone or a desk. Has no secret; uses PKCE." },
} as const;
