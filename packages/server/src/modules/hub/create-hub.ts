import type { Settings } from "../../config/settings.ts";
import { createOutgoing } from "../../core/outgoing.ts";
import { createFolderHub } from "./folder-hub.ts";
import type { Hub } from "./hub.ts";
import { createHuggingFace } from "./hugging-face.ts";

type HubSettings = Pick<Settings, "FEATHER_HUB_DIR" | "FEATHER_HUB_URL" | "FEATHER_OUTGOING_ALLOW">;

/**
 * Creates the configured model hub. The operator chose its address, so it may be private; redirects are checked like
 * any other address.
 */
export function createHub({ FEATHER_HUB_DIR, FEATHER_HUB_URL, FEATHER_OUTGOING_ALLOW }: HubSettings): Hub {
  if (FEATHER_HUB_DIR !== undefined) return createFolderHub(FEATHER_HUB_DIR);
  const { hostname, port, protocol } = new URL(FEATHER_HUB_URL);
  const own = `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
  const outgoing = createOutgoing({ allow: [own, ...FEATHER_OUTGOING_ALLOW] });
  return createHuggingFace({ baseUrl: FEATHER_HUB_URL, outgoing });
}
