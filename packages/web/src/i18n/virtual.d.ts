declare module "virtual:catalogues" {
  import type { Messages } from "@lingui/core";

  /** The languages beside English, each a file of its own. */
  export const catalogues: Record<string, () => Promise<{ messages: Messages }>>;
}
