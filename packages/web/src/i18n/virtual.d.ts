declare module "virtual:catalogues" {
  import type { Messages } from "@lingui/core";

  /** Loaders of the message catalogues for every language except English. */
  export const catalogues: Record<string, () => Promise<{ messages: Messages }>>;
}
