import type { Branch } from "./branch.ts";

/** Every noun. Parsing, help, completion, man pages and the reference come from here. */
export const TABLE: readonly Branch[] = [
  {
    name: "login",
    summary: "Sign in to a server",
    section: "Sign in",
    load: async () => (await import("./auth/index.ts")).commands,
  },
  {
    name: "logout",
    summary: "Sign out and forget the stored credential",
    section: "Sign in",
    load: async () => (await import("./auth/index.ts")).commands,
  },
  {
    name: "whoami",
    summary: "Say who is signed in",
    section: "Sign in",
    load: async () => (await import("./auth/index.ts")).commands,
  },
  {
    name: "profile",
    summary: "Keep several sign-ins and servers apart",
    section: "Sign in",
    load: async () => (await import("./profile/index.ts")).commands,
  },
  {
    name: "models",
    summary: "Browse the models of the server",
    section: "Models",
    load: async () => (await import("./models/index.ts")).commands,
  },
  {
    name: "chat",
    summary: "Talk to a model",
    section: "Models",
    load: async () => (await import("./chat/index.ts")).commands,
  },
  {
    name: "keys",
    summary: "Manage API keys",
    section: "Account",
    load: async () => (await import("./keys/index.ts")).commands,
  },
  {
    name: "usage",
    summary: "See what was called, and the units in use",
    section: "Account",
    load: async () => (await import("./usage/index.ts")).commands,
  },
  {
    name: "private-models",
    summary: "Host models of the hub for your organization alone",
    section: "Hosting",
    load: async () => (await import("./private-models/index.ts")).commands,
  },
  {
    name: "deployments",
    summary: "Run models for your organization alone",
    section: "Hosting",
    load: async () => (await import("./deployments/index.ts")).commands,
  },
  {
    name: "status",
    summary: "See whether the platform works",
    section: "Tools",
    load: async () => (await import("./status/index.ts")).commands,
  },
  {
    name: "subscription",
    summary: "See and change the plan",
    section: "Account",
    load: async () => (await import("./subscription/index.ts")).commands,
  },
  {
    name: "coupons",
    summary: "Check and use coupons",
    section: "Account",
    load: async () => (await import("./coupons/index.ts")).commands,
  },
  {
    name: "credits",
    summary: "See prepaid credits",
    section: "Account",
    load: async () => (await import("./credits/index.ts")).commands,
  },
  {
    name: "apps",
    summary: "Manage OAuth applications",
    section: "Account",
    load: async () => (await import("./apps/index.ts")).commands,
  },
  {
    name: "admin users",
    summary: "Look after the users of the platform",
    section: "Operating",
    load: async () => (await import("./admin/users/index.ts")).commands,
  },
  {
    name: "admin models",
    summary: "Look after the catalogue",
    section: "Operating",
    load: async () => (await import("./admin/models/index.ts")).commands,
  },
  {
    name: "admin prices",
    summary: "See and set prices",
    section: "Operating",
    load: async () => (await import("./admin/prices/index.ts")).commands,
  },
  {
    name: "api",
    summary: "Call the API directly",
    section: "Tools",
    load: async () => (await import("./api/index.ts")).commands,
  },
  {
    name: "open",
    summary: "Open a page of the site in the browser",
    section: "Tools",
    load: async () => (await import("./open/index.ts")).commands,
  },
  {
    name: "doctor",
    summary: "Find out why something does not work",
    section: "Tools",
    load: async () => (await import("./doctor/index.ts")).commands,
  },
  {
    name: "completion",
    summary: "Print a script that completes command lines",
    section: "Tools",
    load: async () => (await import("./completion/index.ts")).commands,
  },
  {
    name: "complete",
    summary: "Print candidates for the last word",
    section: "Tools",
    load: async () => (await import("./completion/index.ts")).commands,
    hidden: true,
  },
];
